import { expect, it } from 'vitest';
import { readCommandLine } from '#server/config.ts';
import { Definitions } from '#server/modules/definitions/definitions.service.ts';
import { measureToday } from '#server/modules/system/system.service.ts';
import { metricsAnswer, systemAnswer } from '#shared/contract/system-answers.ts';
import { buildUser, openApp } from '#tests/support/app.ts';
import { buildArchive, buildRecords } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

describeOnOneDatabase('the state of the installation', (open) => {
  it('is told to administrators', async () => {
    const { database, signedIn } = await openApp(open);
    const archive = await buildArchive(database, [{ name: 'A' }]);
    await buildRecords(database, archive, [['1'], ['2']]);
    await buildUser(database, { username: 'root', role: 'administrator' });
    await measureToday(database, new Definitions());
    const { system } = systemAnswer.parse(
      (await (await signedIn('root')).get('configuration/system')).body,
    );

    expect(system).toMatchObject({
      node: process.versions.node,
      archives: 1,
      tables: 0,
      documents: 2,
      datasets: 0,
    });
    expect(system.database.version).toMatch(/^\d+\.\d+/);
    expect(system.database.bytes).toBeGreaterThan(0);
    expect(system.sizes).toMatchObject([{ documents: 2, files: 0, fileBytes: 0 }]);
  });

  it('and its load are closed to others', async () => {
    const { database, signedIn } = await openApp(open);
    await buildUser(database, { username: 'clerk' });
    const clerk = await signedIn('clerk');

    expect(await clerk.get('configuration/system')).toMatchObject({ status: 403 });
    expect(await clerk.get('configuration/system/metrics')).toMatchObject({ status: 403 });
  });

  it('has samples of the load', async () => {
    const { database, signedIn } = await openApp(open);
    await buildUser(database, { username: 'root', role: 'administrator' });
    const { body } = await (await signedIn('root')).get('configuration/system/metrics');

    expect(metricsAnswer.parse(body).metrics).toEqual({ intervalSeconds: 10, samples: [] });
  });
});

it('Settings in effect name their source and no secret', () => {
  const { config } = readCommandLine(['--port', '8123'], {
    INDEXDESK_DATABASE_URL: 'postgres://user:hidden@db.example/indexdesk',
    INDEXDESK_DATABASE_DIRECT_URL: 'postgres://db.example/indexdesk?password=hidden',
    INDEXDESK_ADMIN_PASSWORD: 'also hidden',
  });
  const settings = new Map(config.inEffect.map((setting) => [setting.name, setting]));

  expect(settings.get('port')).toMatchObject({ value: '8123', source: 'option' });
  expect(settings.get('host')).toMatchObject({ value: '127.0.0.1', source: 'default' });
  expect(settings.get('database-url')).toMatchObject({
    value: 'postgres://user@db.example/indexdesk',
    source: 'environment',
  });
  expect(settings.get('admin-password')).toMatchObject({ value: null, isSecret: true });
  expect(JSON.stringify(config.inEffect)).not.toContain('hidden');
});
