"""
OpenStack Swift with its S3 interface, all its servers in this one process and on free ports of the loopback.

Usage: swift-server.py DIRECTORY PORT

Keeps everything below DIRECTORY, where a later call finds it again, listens on PORT (0: any free one), writes `listening on PORT` to stdout, and ends when stdin does. One user:
access key `test:tester`, secret key `testing`. The servers talk to each other over HTTP as on many machines.
"""

import logging
import os
import sys
import time

import eventlet

eventlet.monkey_patch()

from eventlet import wsgi
from swift.common import utils

root, port = os.path.abspath(sys.argv[1]), int(sys.argv[2])

HASH = '[swift-hash]\nswift_hash_path_prefix = indexdesk\nswift_hash_path_suffix = tests\n'
with open(os.path.join(root, 'swift.conf'), 'w') as conf:
    conf.write(HASH)
# Before the parts are imported that read it.
utils.set_swift_dir(root)

from swift.common.ring import RingBuilder
from swift.common.wsgi import SwiftHttpProtocol, loadapp

STORAGE = ('account', 'container', 'object')
DEVICE = 'device'
os.makedirs(os.path.join(root, 'node', DEVICE), exist_ok=True)

COMMON = f"""[DEFAULT]
swift_dir = {root}
devices = {root}/node
mount_check = false
disable_fallocate = true
fallocate_reserve = 0
log_level = ERROR
"""
PROXY = """
[pipeline:main]
pipeline = catch_errors gatekeeper listing_formats s3api tempauth bulk slo dlo proxy-server

[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
node_timeout = 60

[filter:s3api]
use = egg:swift#s3api
location = us-east-1
min_segment_size = 1048576

[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
"""
for name in ('catch_errors', 'gatekeeper', 'listing_formats', 'bulk', 'slo', 'dlo'):
    PROXY += f'\n[filter:{name}]\nuse = egg:swift#{name}\n'


class Cache:
    """What memcached is to Swift; one process needs no other."""

    def __init__(self):
        self.kept = {}

    def get(self, key, raise_on_error=False):
        value, until = self.kept.get(key, (None, 0))
        return value if now() < until else None

    def set(self, key, value, serialize=True, time=0, min_compress_len=0, raise_on_error=False):
        self.kept[key] = (value, now() + (time or 3600))

    def incr(self, key, delta=1, time=0):
        value = int(self.get(key) or 0) + delta
        self.set(key, value, time=time)
        return value

    def delete(self, key, server_key=None):
        self.kept.pop(key, None)


now = time.time
CACHE = Cache()


def cached(app):
    def call(env, start_response):
        env['swift.cache'] = CACHE
        return app(env, start_response)

    return call


def serve(name, sock, sections):
    path = os.path.join(root, f'{name}.conf')
    with open(path, 'w') as conf:
        conf.write(COMMON + sections)
    app = loadapp(path, global_conf={'log_name': name})
    quiet = open(os.devnull, 'w')
    eventlet.spawn(
        wsgi.server,
        sock,
        cached(app),
        quiet,
        protocol=SwiftHttpProtocol,
        capitalize_response_headers=False,
        debug=False,
    )


sockets = {name: eventlet.listen(('127.0.0.1', 0)) for name in STORAGE}
for name, sock in sockets.items():
    builder = RingBuilder(4, 1, 0)
    builder.add_dev({
        'id': 0, 'region': 1, 'zone': 1, 'weight': 1, 'device': DEVICE,
        'ip': '127.0.0.1', 'port': sock.getsockname()[1],
    })
    builder.rebalance()
    builder.get_ring().save(os.path.join(root, f'{name}.ring.gz'))
for name, sock in sockets.items():
    serve(name, sock, f'\n[pipeline:main]\npipeline = {name}-server\n\n[app:{name}-server]\nuse = egg:swift#{name}\n')

front = eventlet.listen(('127.0.0.1', port))
serve('proxy', front, PROXY)
for logger in [logging.getLogger(name) for name in list(logging.root.manager.loggerDict)]:
    # Instead of the machine's log.
    logger.handlers = [logging.StreamHandler(sys.stderr)] if logger.handlers else []
print(f'listening on {front.getsockname()[1]}', flush=True)
eventlet.tpool.execute(sys.stdin.read)
