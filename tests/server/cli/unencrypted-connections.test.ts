import { expect, it } from 'vitest';
import { warningsOfUnencrypted } from '#server/cli/unencrypted-connections.ts';
import { readCommandLine } from '#server/config.ts';

const keys = { INDEXDESK_S3_ACCESS_KEY_ID: 'id', INDEXDESK_S3_SECRET_ACCESS_KEY: 'secret' };
const bucket = (endpoint: string) => ['--files', 's3://records', '--s3-endpoint', endpoint];
const database = (url: string) => ['--database-url', url];

it.each([
  [['--host', '0.0.0.0'], 'the service listens on 0.0.0.0'],
  [['--host', '192.0.2.1'], 'the service listens on 192.0.2.1'],
  [database('postgres://user@db.example/indexdesk'), 'PostgreSQL'],
  [database('postgres://user@db.example/indexdesk?sslmode=prefer'), 'PostgreSQL'],
  [database('postgres://user@db.example/indexdesk?sslmode=no-verify'), 'PostgreSQL'],
  [
    [
      ...database('postgres://localhost/indexdesk'),
      '--database-direct-url',
      'postgres://db.example/indexdesk',
    ],
    'PostgreSQL',
  ],
  [bucket('http://store.example'), 'the bucket'],
  [['--malware-scanner', 'scanner.example:3310'], 'the malware scanner'],
])('The start warns of a connection without encryption: %j', (args, named) => {
  const warnings = warningsOfUnencrypted(readCommandLine(args, keys).config);
  expect(warnings).toEqual([expect.stringContaining(named)]);
});

it.each([
  [[]],
  [['--host', '::1']],
  [['--host', '0.0.0.0', '--trusted-proxies', '192.0.2.7']],
  [database('postgres://user:secret@127.0.0.1:5432/indexdesk')],
  [database('postgres://user@%2Fvar%2Frun%2Fpostgresql/indexdesk')],
  [database('postgres:///indexdesk?host=/var/run/postgresql')],
  [database('postgres://user@db.example/indexdesk?sslmode=verify-full')],
  [database('postgres://user@db.example/indexdesk?ssl=true')],
  [bucket('https://store.example')],
  [bucket('http://127.0.0.1:9000')],
  [['--malware-scanner', '/run/clamav/clamd.ctl']],
  [['--malware-scanner', '[::1]:3310']],
])('The start warns of nothing where a connection is encrypted or local: %j', (args) => {
  expect(warningsOfUnencrypted(readCommandLine(args, keys).config)).toEqual([]);
});
