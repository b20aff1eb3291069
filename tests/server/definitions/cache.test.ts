import { expect, it } from 'vitest';
import {
  DEFINITIONS_CHANGED,
  Definitions,
  readDefinitions,
} from '#server/modules/definitions/definitions.service.ts';
import { buildArchive } from '#tests/support/builders.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';

describeOnBothDatabases('the cache of definitions', (open) => {
  it('has a new archive for each read that begins later, though an older read looked after it was made', async () => {
    const database = await open();
    const definitions = new Definitions();
    const listener = database.listen((payload) => {
      if (payload === DEFINITIONS_CHANGED) definitions.invalidate();
    });
    await database.read((db) => definitions.archives(db));
    const snapshot = Promise.withResolvers<void>();
    const made = Promise.withResolvers<void>();
    const older = database.read(async (db) => {
      await readDefinitions(db);
      snapshot.resolve();
      await made.promise;
      return definitions.archives(db);
    });
    await snapshot.promise;
    const { name } = await buildArchive(database, [{ name: 'NO', type: 'text' }]);
    made.resolve();
    expect(await older).toEqual([]);
    expect(await database.read((db) => definitions.findArchive(db, name))).toMatchObject({ name });
    await listener.close();
  });
});
