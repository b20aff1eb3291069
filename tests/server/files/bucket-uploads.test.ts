import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { S3Bucket } from '#server/modules/files/s3-bucket.ts';

it('The parts of all uploads that came to nothing are removed, however many pages list them', async () => {
  const keys = ['a', 'b', 'c'].map((digit) => `${digit.repeat(2)}/${digit.repeat(64)}`);
  const uploads = new Set(keys);
  // One upload in each page of the list.
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    if (request.method === 'DELETE') {
      uploads.delete(pathname.replace('/records/', ''));
      response.writeHead(204).end();
      return;
    }
    const next = keys.findIndex((key) => key > (searchParams.get('key-marker') ?? ''));
    const key = keys[next] ?? '';
    response.end(`<ListMultipartUploadsResult>
      <Upload><Key>${key}</Key><UploadId>1</UploadId><Initiated>2026-01-01T00:00:00Z</Initiated></Upload>
      <NextKeyMarker>${key}</NextKeyMarker><NextUploadIdMarker>1</NextUploadIdMarker>
      <IsTruncated>${next < keys.length - 1}</IsTruncated></ListMultipartUploadsResult>`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  const bucket = new S3Bucket({
    endpoint: `http://127.0.0.1:${Object(server.address()).port}`,
    region: 'us-east-1',
    bucket: 'records',
    prefix: '',
    pathStyle: true,
    keys: { accessKeyId: 'id', secretAccessKey: 'secret' },
  });
  await bucket.abortUploads(Date.parse('2026-01-02T00:00:00Z'));
  expect([...uploads]).toEqual([]);
});
