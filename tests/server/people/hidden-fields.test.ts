/** @module-tag slow */
import { beforeAll, expect, it } from 'vitest';
import type { Archive, Table } from '#server/database/records/collection.ts';
import {
  buildUser,
  openApp,
  type TestAnswer,
  type TestApp,
  type TestClient,
} from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
} from '#tests/support/builders.ts';
import { bulkEditOf, revisionsOf } from '#tests/support/bulk-edits.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { formOf } from '#tests/support/forms.ts';

/** The names of a field, a keyword field and a check. */
interface Names {
  readonly field: string;
  readonly keyword: string;
  readonly check: string;
}
const HIDDEN: Names = { field: 'IBAN', keyword: 'SECRET', check: 'HUSH' };
/** Nothing has these names. */
const UNKNOWN: Names = { field: 'IBAX', keyword: 'SECREX', check: 'HUSX' };

describeOnOneDatabase('a field that is hidden from a person', (open) => {
  let t: TestApp;
  let root: TestClient;
  let anna: TestClient;
  let archive: Archive;
  let table: Table;
  /** where the calls about the archive, and about the table, begin */
  const paths = { archive: '', table: '' };
  beforeAll(async () => {
    t = await openApp(open);
    const checks = [
      { name: 'HUSH', rule: "IBAN <> 'x'" },
      { name: 'SEEN', rule: "NO <> 'x'" },
    ];
    const fields = [{ name: 'NO' }, { name: 'IBAN' }, { name: 'NOTE', maxLength: 20 }];
    archive = await buildArchive(t.database, fields, ['TAG', 'SECRET'], { checks });
    table = await buildTable(t.database, fields, 'SUPPLIERS', { checks });
    await buildRecords(t.database, archive, [['1', 'x', 'n']], () => [['t'], ['s']]);
    await buildRecords(t.database, table, [['1', 'x', 'n']]);
    paths.archive = archivePath(archive);
    paths.table = datasetsPath(table).replace(/\/datasets$/, '');
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    root = await t.signedIn('root');
    await buildUser(t.database, { username: 'anna' });
    await grant('anna', { IBAN: 'hidden' }, { 'keyword.SECRET': 'hidden' });
    anna = await t.signedIn('anna');
  });

  /** @param ofArchive in the archive alone, which has keyword fields */
  const grant = async (username: string, fields: object, ofArchive: object = {}) => {
    const rights = {
      archives: { [archive.name]: { right: 'manage', fields: { ...fields, ...ofArchive } } },
      tables: { [table.guid]: { right: 'manage', fields } },
    };
    const answer = await root.patch(`configuration/users/${username}`, { user: { rights } });
    expect(answer.status).toBe(200);
  };
  const textOf = ({ status, text }: TestAnswer) => `${status} ${text}`;
  const planned = async (at: string, csv: string) => {
    const { body, headers } = formOf([['files[0]', { name: 'rows.csv', bytes: csv }]]);
    const { bulkEditId } = bulkEditOf(await anna.post(`${at}/imports`, body, { headers }));
    return `${at}/bulkedits/${bulkEditId}`;
  };
  const storedView = async (at: string, search: string) => {
    const view = { name: 'V', shared: false, search };
    const made = await anna.post(`${at}/views`, view);
    const one = `${at}/views/${Object(made.body).views[0].viewId}`;
    const put = await anna.put(one, view);
    const all = await anna.get(`${at}/views`);
    await anna.delete(one);
    await anna.put(`${at}/lastview`, { search });
    return [made, put, all, await anna.get(`${at}/lastview`)].map(textOf).join();
  };

  /** Calls that take names, of the archive or the table. */
  const CALLS: Readonly<
    Record<string, (names: Names, at: string, kind: keyof typeof paths) => Promise<string>>
  > = {
    'columns of a view': ({ field }, at) => storedView(at, `columns=NO,${field}`),
    'the only column of a view': ({ field }, at) => storedView(at, `columns=${field}`),
    'the sort of a view': ({ field }, at) => storedView(at, `?sort=-${field},NO`),
    'widths of a view': ({ field, keyword }, at) =>
      storedView(at, `widths=${field}:10,NO:20,keyword.${keyword}:9`),
    'filters of a view': ({ field, keyword }, at) =>
      storedView(at, `where[${field}][eq][1]=x&or[1][keyword.${keyword}][eq]=x&q=${field}`),
    'checks in filters of a view': ({ check }, at) =>
      storedView(at, `where[check][eq]=${check}&or[1][meta.check][in]=${check},SEEN`),
    'colours of a view': ({ field, check }, at) =>
      storedView(at, `colour[${field}][eq]=red:x&colour[check][eq]=red:${check}`),
    'parameters of other programs in a view': ({ field }, at) =>
      storedView(at, `by=${field}&my[${field}]=1&where[NO][${field}]=1`),
    'filters of lists': async ({ field, keyword, check }, at, kind) => {
      const list = `${at}/${kind === 'archive' ? 'index' : 'datasets'}`;
      const texts: string[] = [];
      for (const query of [
        `where[${field}][eq]=x`,
        `or[1][keyword.${keyword}][null]=true`,
        `where[check][eq]=${check}`,
        `sort=${field}`,
        `q=${field}`,
      ]) {
        for (const part of ['', '/ids', '/count']) {
          texts.push(textOf(await anna.get(`${list}${part}?${query}`)));
        }
      }
      return texts.join();
    },
    'rules that are tried': async ({ field }, at) => {
      const rules = [`${field} = 1`, `NO in ${table.name}.${field}`, `${field}.NO = 1`];
      const tried = rules.map((rule) => anna.post(`${at}/checks/try`, { rule }));
      return (await Promise.all(tried)).map(textOf).join();
    },
    exceptions: async ({ check }, at, kind) => {
      const record = `${at}/${kind === 'archive' ? 'documents' : 'datasets'}/1`;
      return textOf(await anna.put(`${record}/exceptions/${check}`, { reason: 'r' }));
    },
    'calls about a field': async ({ field, keyword }, at, kind) => {
      const one = `${at}/${kind === 'archive' ? 'indices' : 'columns'}`;
      const asked = [
        anna.get(`${one}/${field}/listoptions`),
        anna.get(`${one}/keyword.${keyword}/clusters`),
        anna.get(`${one}/${field}/aliases`),
        anna.get(`${one}/NO/suggestions?given[${field}]=x`),
      ];
      return (await Promise.all(asked)).map(textOf).join();
    },
    // The message of the row quotes the cell.
    'rows of imports': async ({ field, keyword }, at, kind) => {
      const id = kind === 'archive' ? 'Revision id' : 'jrid';
      const note = `${field} is longer than the field`;
      const csv = `${id},NOTE,${field},keyword.${keyword}\n1,${note},x,y\n`;
      const plan = await planned(at, csv);
      const rows = kind === 'archive' ? 'revisions' : 'datasets';
      return [await anna.get(`${plan}/${rows}`), await anna.get(`${plan}/refused`)]
        .map(textOf)
        .join();
    },
  };

  it.each(
    Object.keys(CALLS).flatMap((what) => [[what, 'archive'] as const, [what, 'table'] as const]),
  )('is answered like one that does not exist: %s of the %s', async (what, kind) => {
    const answered = async (names: Names) => {
      const text = await CALLS[what]?.(names, paths[kind], kind);
      const { field, keyword, check } = names;
      return text
        ?.replaceAll(new RegExp(`${field}|${keyword}|${check}`, 'gi'), 'NAME')
        .replaceAll(/"(?:viewId|requestId|bulkEditId)":"[^"]*"/g, '');
    };
    expect(await answered(HIDDEN)).toBe(await answered(UNKNOWN));
  });

  it('is answered like one that does not exist as the field of a queue with the focus', async () => {
    const queues = `${paths.archive}/queues`;
    const fieldOf = ({ body }: TestAnswer) => Object(body).queues[0].field;
    const made = await anna.post(queues, { filter: '' });
    const { queueId } = Object(made.body).queues[0];
    const put = async (field: string) =>
      fieldOf(await anna.patch(`${queues}/${queueId}`, { field }));
    expect(await put('indexFields.NO')).toBe('indexFields.NO');
    expect(await put('keywordFields.TAG')).toBe('keywordFields.TAG');
    for (const { field, keyword } of [HIDDEN, UNKNOWN]) {
      for (const path of [`indexFields.${field}`, `keywordFields.${keyword}`, field]) {
        expect([path, await put(path)]).toEqual([path, null]);
      }
    }
  });

  it('does not show in views and queues from before', async () => {
    await buildUser(t.database, { username: 'ben' });
    await grant('ben', {});
    const ben = await t.signedIn('ben');
    const at = paths.archive;
    const filter = 'where[IBAN][eq]=x&where[check][eq]=HUSH&sort=IBAN';
    const search = `${filter}&columns=NO,IBAN&colour[IBAN][eq]=red:x`;
    await ben.post(`${at}/views`, { name: 'V', shared: false, search });
    await ben.put(`${at}/lastview`, { search });
    const focus = { filter, field: 'indexFields.IBAN' };
    const keyed = { headers: { 'idempotency-key': 'queue' } };
    const queue = await ben.post(`${at}/queues`, focus, keyed);
    expect(queue.text).toContain('IBAN');
    await grant('ben', { IBAN: 'hidden' });
    for (const answer of [
      await ben.get(`${at}/views`),
      await ben.get(`${at}/lastview`),
      await ben.get(`${at}/queues`),
      await ben.get(`${at}/queues/${Object(queue.body).queues[0].queueId}`),
      await ben.post(`${at}/queues`, focus, keyed),
    ]) {
      expect(answer.status).toBeLessThan(300);
      expect(answer.text).not.toMatch(/IBAN|HUSH/);
    }
    // It is there again with the right.
    await grant('ben', {});
    expect(Object((await ben.get(`${at}/lastview`)).body).search).toBe(search);
  });

  it('stays in views that the person changes', async () => {
    await buildUser(t.database, { username: 'dora' });
    await grant('dora', { IBAN: 'hidden' }, { 'keyword.SECRET': 'hidden' });
    const dora = await t.signedIn('dora');
    const views = `${paths.archive}/views`;
    /** Changes a shared view of the administrator. @returns the view as both see it */
    const changed = async (before: string, after: string) => {
      const view = { name: 'Shared', shared: true };
      const made = await root.post(views, { ...view, search: before });
      const one = `${views}/${Object(made.body).views[0].viewId}`;
      const put = await dora.put(one, { ...view, search: after });
      const searchOf = ({ body }: TestAnswer) => decodeURIComponent(Object(body).views[0].search);
      const seen = [searchOf(put), searchOf(await root.get(views))];
      await root.delete(one);
      return seen;
    };
    for (const [before, after, all] of [
      // only the name
      ['columns=NO,IBAN&or[1][IBAN][eq]=x', 'columns=NO', 'columns=NO,IBAN&or[1][IBAN][eq]=x'],
      [
        'columns=IBAN,NO,keyword.SECRET,NOTE',
        'columns=NOTE,NO',
        'columns=IBAN,NOTE,NO,keyword.SECRET',
      ],
      ['columns=NO,IBAN', 'q=a', 'q=a'],
      ['columns=IBAN', 'q=a', 'columns=IBAN&q=a'],
      ['sort=-IBAN,NO&widths=NO:20,IBAN:10', 'sort=NOTE', 'sort=-IBAN,NOTE&widths=IBAN:10'],
      ['where[IBAN][eq]=x&where[NO][eq]=1', 'where[NO][eq]=2', 'where[IBAN][eq]=x&where[NO][eq]=2'],
      [
        'where[check][eq]=SEEN&where[check][eq][1]=HUSH',
        'where[check][eq]=SEEN&q=a',
        'where[check][eq]=SEEN&where[check][eq][1]=HUSH&q=a',
      ],
      ['where[check][in]=HUSH,SEEN', 'where[check][in]=SEEN&q=a', 'where[check][in]=HUSH,SEEN&q=a'],
      [
        'or[1][IBAN][eq]=x&or[2][NO][eq]=1&or[2][IBAN][eq]=y',
        'or[1][NO][eq]=1&or[1][NOTE][eq]=n',
        'or[3][IBAN][eq]=x&or[1][IBAN][eq]=y&or[1][NO][eq]=1&or[1][NOTE][eq]=n',
      ],
      ['or[1][IBAN][eq]=x&or[1][NO][eq]=1', 'q=a', 'q=a'],
      [
        'colour[NO][eq]=red:1&colour[IBAN][eq]=red:x&colour[NO][eq][1]=green:2',
        'colour[NO][eq]=red:1&colour[NO][eq][1]=blue:2',
        'colour[NO][eq]=red:1&colour[IBAN][eq]=red:x&colour[NO][eq][1]=blue:2',
      ],
      ['by=IBAN&q=a', 'q=b', 'by=IBAN&q=b'],
    ]) {
      expect(await changed(before ?? '', after ?? '')).toEqual([after, all]);
    }
  });

  it('has no entries in the history that could be undone', async () => {
    await buildUser(t.database, { username: 'cleo' });
    await grant('cleo', {});
    const cleo = await t.signedIn('cleo');
    const one = `${datasetsPath(table)}/1`;
    const newest = async (client: TestClient) =>
      Object((await client.get(`${one}/history`)).body).history[0];
    const undo = (historyId: string) =>
      cleo.post(`${datasetsPath(table)}/undo`, { historyIds: [historyId] });
    await root.put(one, { dataset: { IBAN: 'of another' } });
    const ofAnother = (await newest(root)).historyId;
    await cleo.put(one, { dataset: { IBAN: 'own' } });
    const own = (await newest(cleo)).historyId;
    expect((await undo(own)).status).toBe(200);
    const undone = (await newest(cleo)).historyId;
    await grant('cleo', { IBAN: 'hidden' });
    expect((await newest(cleo))?.changes).not.toEqual([]);
    const missing = await undo('999999');
    expect(missing.status).toBe(404);
    for (const id of [ofAnother, own, undone]) {
      const { status, body } = await undo(id);
      expect([status, Object(body).errors]).toEqual([
        404,
        JSON.parse(JSON.stringify(Object(missing.body).errors).replace('999999', id)),
      ]);
    }
    // It can be seen, but not changed by undoing the undo.
    await grant('cleo', { IBAN: 'read' });
    expect((await undo(undone)).status).toBe(403);
    expect((await root.get(one)).body).toMatchObject({ datasets: [{ IBAN: 'of another' }] });
  });

  it('that was hidden since does not show in the rows of imports, other words do', async () => {
    await grant('anna', {});
    const plan = await planned(
      paths.archive,
      'Revision id,NOTE,IBAN,OTHER\n1,IBAN is longer than the field,x,y\n',
    );
    await grant('anna', { IBAN: 'hidden' }, { 'keyword.SECRET': 'hidden' });
    const [row] = await revisionsOf(anna, plan, 'invalid');
    expect(row).toMatchObject({
      message: null,
      cells: [{ header: 'Revision id' }, { header: 'NOTE' }, { header: 'OTHER' }],
    });
  });
});
