import { hash } from 'node:crypto';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { variableOf, type S3Settings } from '#server/config.ts';
import { jobsAnswer } from '#shared/contract/configuration-definitions.ts';
import { locationOf } from '#server/modules/files/file-store.ts';
import { openClient } from '#server/modules/files/s3-bucket.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { WAIT_LIMIT } from '#tests/support/effort.ts';
import { isMissing } from '#tests/support/skipping.ts';
import { PASSWORD } from '#tests/support/app.ts';
import { eventually, ServiceClient } from '#tests/support/service-client.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';
import { obstacleToSwift, startSwift, type Swift } from '#tests/support/swift.ts';

const PREFIX = 'desk';
const LIMIT = 10 * WAIT_LIMIT;

describe.skipIf(isMissing(obstacleToSwift()))(
  'a purge of documents whose files are in a bucket',
  () => {
    const databases = testDatabases('sqlite');
    let swift: Swift;
    let bucket: S3Settings;
    let service: ServiceProcess;
    let admin: ServiceClient;
    /** what the service wrote at its start to try the bucket */
    let before: ReadonlySet<string> = new Set();
    beforeAll(async () => {
      swift = await startSwift();
      bucket = await swift.newBucket();
      service = await startService({
        ...(await databases.prepare()),
        args: ['--empty', '--files', `s3://${bucket.bucket}/${PREFIX}`],
        environment: {
          [variableOf('s3-endpoint')]: bucket.endpoint,
          [variableOf('s3-region')]: bucket.region,
          [variableOf('s3-path-style')]: String(bucket.pathStyle),
          [variableOf('s3-access-key-id')]: bucket.keys?.accessKeyId ?? '',
          [variableOf('s3-secret-access-key')]: bucket.keys?.secretAccessKey ?? '',
          INDEXDESK_ADMIN_PASSWORD: PASSWORD,
        },
      });
      admin = new ServiceClient(service.url);
      await admin.signIn('admin', PASSWORD);
      before = new Set(await keysInBucket());
    });
    afterAll(async () => {
      await service?.kill();
      await swift?.remove();
    });

    const send = async (
      method: 'POST' | 'DELETE',
      path: string,
      sent: { readonly json?: unknown; readonly form?: FormData } = {},
    ) => {
      const answer = await admin.send({ method, path, ...sent });
      if (answer.status >= 300) throw new Error(`${answer.status} ${answer.bytes.toString()}`);
      return answer.status;
    };
    const create = (table: string) =>
      send('POST', 'configuration/archives', {
        json: { archive: { table, name: table, indexFields: [{ name: 'NAME', type: 'text' }] } },
      });
    const upload = (table: string, text: string) => {
      const form = new FormData();
      form.append('files', new Blob([text]), `${text}.txt`);
      return send('POST', `application/archiveapp/archives/${table}/documents`, { form });
    };
    const retire = (table: string) => send('DELETE', `configuration/archives/${table}`);
    const purge = (table: string) =>
      send('DELETE', `configuration/archives/${table}?purge=true`, { json: { confirm: table } });
    const keyOf = (text: string) => `${PREFIX}/${locationOf(hash('sha256', text))}`;
    const keysInBucket = async () => {
      const command = new ListObjectsV2Command({ Bucket: bucket.bucket });
      const { Contents = [] } = await openClient(bucket).send(command);
      return Contents.flatMap(({ Key }) =>
        Key === undefined || before.has(Key) ? [] : [Key],
      ).toSorted();
    };
    const holds = (...texts: readonly string[]) =>
      eventually(async () => {
        const keys = await keysInBucket();
        return JSON.stringify(keys) === JSON.stringify(texts.map(keyOf).toSorted());
      }, WAIT_LIMIT);

    it('deletes the files that no other archive has', async () => {
      await create('PURGED');
      await create('OTHER');
      await upload('PURGED', 'of one archive');
      await upload('PURGED', 'of both');
      await upload('OTHER', 'of both');
      expect(await keysInBucket()).toEqual(['of one archive', 'of both'].map(keyOf).toSorted());
      await retire('PURGED');
      expect(await purge('PURGED')).toBeLessThan(300);
      expect(await holds('of both')).toBe(true);
    });

    it(
      'that fails while the bucket is gone can be repeated, and leaves nothing',
      async () => {
        await create('LATER');
        await upload('LATER', 'while it was gone');
        await retire('LATER');
        await swift.stop();
        expect(await purge('LATER')).toBe(202);
        const hasFailed = async () => {
          const { body } = await admin.send({ method: 'GET', path: 'configuration/jobs/2' });
          return jobsAnswer.parse(body).jobs[0]?.state === 'failed';
        };
        expect(await eventually(hasFailed, LIMIT)).toBe(true);
        await swift.start();
        await purge('LATER');
        expect(await holds('of both')).toBe(true);
      },
      LIMIT,
    );
  },
);
