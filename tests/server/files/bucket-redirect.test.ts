import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { S3Bucket } from '#server/modules/files/s3-bucket.ts';

it('A bucket that redirects to another host is refused, and its keys go nowhere else', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers.host ?? '');
    const { port } = Object(server.address());
    response.writeHead(307, { location: `http://localhost:${port}${request.url}` }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  const host = `127.0.0.1:${Object(server.address()).port}`;
  const bucket = new S3Bucket({
    endpoint: `http://${host}`,
    region: 'us-east-1',
    bucket: 'records',
    prefix: '',
    pathStyle: true,
    keys: { accessKeyId: 'id', secretAccessKey: 'secret' },
  });
  await expect(bucket.sizeOf('a-file')).rejects.toThrow('307');
  expect(new Set(asked)).toEqual(new Set([host]));
});
