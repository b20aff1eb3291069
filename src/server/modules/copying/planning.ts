import type { Db } from '#server/database/database.ts';
import { readTableShapes, type TableShape } from '#server/database/copying/schema-introspection.ts';
import { SYSTEM_COPIES, type SystemCopy } from '#server/database/copying/system-tables.ts';
import { keywordTable, tableName } from '#server/database/records/columns.ts';
import { createRecordTable } from '#server/database/records/record-tables.ts';
import type { Thing } from '#server/database/records/collection.ts';
import { readEveryThing } from '../definitions/definitions.service.ts';

/** What is copied of an installation, table by table. */
export interface CopyPlan {
  readonly things: readonly Thing[];
  /** in the order in which they are filled; without columns that are not copied */
  readonly tables: readonly TableShape[];
  /** tables of the source that are none of the service's */
  readonly strange: readonly string[];
}

export async function planCopy(source: Db): Promise<CopyPlan> {
  const things = await readEveryThing(source);
  const shapes = await readTableShapes(source);
  const names = [...systemTables(), ...things.flatMap(recordTables)];
  const known = new Set([...Object.keys(SYSTEM_COPIES), ...names]);
  return {
    things,
    tables: names.map((name) => copied(shapes, name)),
    strange: [...shapes.keys()].filter((name) => !known.has(name)),
  };
}

/** Makes the tables of the records that the target does not have yet, without their indexes. */
export async function createMissingTables(target: Db, { things }: CopyPlan): Promise<void> {
  const shapes = await readTableShapes(target);
  for (const thing of things) {
    if (!shapes.has(tableName(thing))) await createRecordTable(target, thing);
  }
}

/** @throws {Error} where a table is not the same in the target */
export async function compareTables(target: Db, { tables }: CopyPlan): Promise<void> {
  const shapes = await readTableShapes(target);
  for (const { name, columns } of tables) {
    const there = copied(shapes, name).columns;
    if (there.join() !== columns.join()) {
      throw new Error(`The table ${name} has other columns in the target. Nothing was copied.`);
    }
  }
}

function systemTables(): string[] {
  return Object.entries(SYSTEM_COPIES).flatMap(([name, copy]) => (copy.copied ? [name] : []));
}

function recordTables(thing: Thing): string[] {
  return thing.kind === 'archive' ? [tableName(thing), keywordTable(thing)] : [tableName(thing)];
}

function copied(shapes: ReadonlyMap<string, TableShape>, name: string): TableShape {
  const shape = shapes.get(name);
  if (!shape) throw new Error(`The table ${name} is missing. The database is not whole.`);
  const copies: Readonly<Record<string, SystemCopy>> = SYSTEM_COPIES;
  const copy = Object.hasOwn(copies, name) ? copies[name] : undefined;
  const left = copy?.copied === true ? (copy.null ?? []) : [];
  return {
    ...shape,
    columns: shape.columns.filter((column) => !left.includes(column)),
    texts: shape.texts.filter((column) => !left.includes(column)),
  };
}
