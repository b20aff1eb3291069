import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { S3Bucket } from '#server/modules/files/s3-bucket.ts';
import { s3Store } from '#server/modules/files/s3-store.ts';

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${Object(server.address()).port}`;
}

const SETTINGS = {
  region: 'us-east-1',
  bucket: 'records',
  prefix: '',
  pathStyle: true,
  keys: null,
};

/** Nothing of the machine's own. */
function forgetKeys(): void {
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE']) {
    vi.stubEnv(name, undefined);
  }
  for (const name of ['AWS_SHARED_CREDENTIALS_FILE', 'AWS_CONFIG_FILE']) vi.stubEnv(name, '/none');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
}

it('A bucket without keys is used with those of the role, which are asked for again before they expire', async () => {
  forgetKeys();
  const used: string[] = [];
  const endpoint = await serve(({ headers }, response) => {
    const [, key = ''] = /Credential=([^/]+)/.exec(headers.authorization ?? '') ?? [];
    used.push(`${key} ${String(headers['x-amz-security-token'])}`);
    response.writeHead(200, { 'content-length': '5' }).end();
  });
  let given = 0;
  // As the agents of containers give the keys of a role.
  const role = await serve((_, response) => {
    given += 1;
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        AccessKeyId: `key-${given}`,
        SecretAccessKey: 'secret',
        Token: `token-${given}`,
        Expiration: new Date(Date.now() + (given === 1 ? 60_000 : 3_600_000)).toISOString(),
      }),
    );
  });
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', role);
  const bucket = new S3Bucket({ ...SETTINGS, endpoint });
  expect(await bucket.sizeOf('a-file')).toBe(5);
  expect(used).toEqual(['key-1 token-1']);
  // Keys that are still valid are used until the next ones have come.
  await expect
    .poll(async () => {
      await bucket.sizeOf('a-file');
      return used.at(-1);
    })
    .toBe('key-2 token-2');
});

it('A bucket without keys, on a machine without a role, is an error with its remedy', async () => {
  forgetKeys();
  const store = s3Store({ ...SETTINGS, endpoint: 'http://127.0.0.1:1' }, '/tmp');
  await expect(store.check()).rejects.toThrow(/INDEXDESK_S3_ACCESS_KEY_ID .* or give .* a role/);
});
