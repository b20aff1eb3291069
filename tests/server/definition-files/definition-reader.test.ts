import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDefinition } from '#server/modules/definition-files/definition-reader.ts';
import { LoadError } from '#server/modules/definition-files/load-error.ts';
import { buildFolder, writeFiles } from '#tests/support/load.ts';

const GUID = '11111111-2222-3333-4444-555555555555';
const folder = buildFolder();

async function problems(content: string | Uint8Array | object): Promise<readonly string[]> {
  await writeFiles(folder, { 'definition.json': content });
  try {
    await readDefinition(join(folder, 'definition.json'));
    return [];
  } catch (error) {
    if (error instanceof LoadError) return error.lines;
    throw error;
  }
}

const archive = (more: object) => ({
  guid: GUID,
  table: 'BILLS',
  name: 'Bills',
  indexFields: [{ name: 'NO', type: 'text' }],
  ...more,
});

describe('a definition file', () => {
  it('is read with a byte order mark and everything that it may leave out', async () => {
    expect(await problems(`\ufeff${JSON.stringify({ archives: [archive({})] })}`)).toEqual([]);
    expect(await problems({})).toEqual([]);
  });

  it('is refused with the place of each mistake in it', async () => {
    const file = {
      archives: [
        archive({
          indexFields: [
            { name: 'NO', type: 'text' },
            { name: 'SUM', type: 'money' },
          ],
        }),
        archive({ guid: 'none', documents: [{ indexFields: [{ name: 'NO' }] }] }),
      ],
      tables: [{ name: '1st', columns: [] }],
      users: [{ username: 'joe', role: 'clerk', password: 'x', rihgts: {} }],
    };
    const said = (await problems(file)).join('\n');
    expect(said).toContain('is not a valid definition file; nothing was loaded.');
    expect(said).toContain(
      'archives[0] (BILLS), indexFields[1] (SUM), type: It must be one of: text, integer,',
    );
    expect(said).toContain('archives[1] (BILLS), guid: A GUID has the form');
    expect(said).toContain('archives[1] (BILLS), documents[0], indexFields[0] (NO)');
    expect(said).toContain('tables[0] (1st), guid: It is needed, and must be text.');
    expect(said).toContain('tables[0] (1st), name: A name starts with a letter');
    expect(said).toContain('tables[0] (1st), columns: It must have at least 1 entries.');
    expect(said).toContain(
      'users[0] (joe): Unknown keys: “rihgts”. The keys here are: username, displayName, email, role, password, groups, rights.',
    );
  });

  it('is refused where names are given twice', async () => {
    const twice = { archives: [archive({}), archive({ table: 'bills' })] };
    expect(await problems(twice)).toEqual([
      expect.stringContaining('not a valid definition file'),
      `The GUID ${GUID} is defined more than once.`,
      'The archive bills is defined more than once.',
    ]);
  });

  it.each([
    ['broken JSON', '{"archives": [\n  {"guid" "x"}]}', '(line 2, column 11): A colon is missing'],
    ['a key given twice', '{"users": [], "users": []}', 'occurs twice'],
    ['Latin-1', Buffer.from('{"users": [], "x": "é"}', 'latin1'), 'not encoded in UTF-8'],
    ['a list', '[]', 'The file: It must be an object.'],
  ])('is refused with %s', async (_, content, message) => {
    expect((await problems(content)).join('\n')).toContain(message);
  });

  it('is refused where it is missing', async () => {
    await expect(readDefinition(join(folder, 'none.json'))).rejects.toThrow(
      'none.json does not exist.',
    );
  });
});
