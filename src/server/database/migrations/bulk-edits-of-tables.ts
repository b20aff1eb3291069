import { sql } from 'kysely';
import type { Transaction } from '../database.ts';

/** Version 5: bulk edits also exist for data tables, whose ids overlap with those of archives. */
export async function allowBulkEditsOfTables(db: Transaction): Promise<void> {
  const { text } = db.adapter.columnTypes;
  const { schema } = db.k;
  await schema.dropIndex('bulk_edits_owner').execute();
  await schema.alterTable('bulk_edits').renameColumn('archive_id', 'thing_id').execute();
  await schema
    .alterTable('bulk_edits')
    .addColumn('scope', text, (column) => column.notNull().defaultTo(sql.lit('archive')))
    .execute();
  await schema
    .createIndex('bulk_edits_owner')
    .on('bulk_edits')
    .columns(['scope', 'thing_id', 'owner_id', 'id'])
    .execute();
}
