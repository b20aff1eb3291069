import { expect } from 'vitest';
import { ServiceClient } from '#tests/support/service-client.ts';

export const PASSWORD = 'nine otters under the bridge';

/** Signs in as the administrator, loads the web admin, and saves a correction in the sample archive. */
export async function useService(url: string): Promise<void> {
  const page = await fetch(url);
  expect([page.status, await page.text()]).toEqual([
    200,
    expect.stringContaining('<div id="root"'),
  ]);
  const client = new ServiceClient(url);
  await client.signIn('admin', PASSWORD);
  const saved = await client.send({
    method: 'PATCH',
    path: 'application/archiveapp/archives/INVOICES/documents/10001/indexdata',
    json: { indexFields: [{ name: 'REMARK', value: 'saved by the package' }] },
  });
  expect([saved.status, saved.bytes.toString()]).toEqual([
    200,
    expect.stringContaining('saved by the package'),
  ]);
}
