import type { Transaction } from '../database.ts';

/** The tables of bulk edits: the plan for each revision, and its result. */
export async function createBulkEditTables(db: Transaction): Promise<void> {
  const { text, integer, bigint, counted, strict, strictByKey } = db.adapter.columnTypes;
  const { schema } = db.k;
  await schema
    .createTable('bulk_edits')
    .addColumn('id', integer, counted)
    .addColumn('archive_id', integer, (column) => column.notNull())
    .addColumn('owner_id', integer, (column) => column.notNull())
    .addColumn('owner_name', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('phase', text, (column) => column.notNull())
    .addColumn('edits', text, (column) => column.notNull())
    .addColumn('counts', text, (column) => column.notNull())
    .addColumn('on_changed', text, (column) => column.notNull())
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('finished_at', bigint)
    .addColumn('message', text)
    .addColumn('actor', text)
    .addColumn('lease_owner', text)
    .addColumn('lease_until', bigint, (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
  await schema
    .createIndex('bulk_edits_owner')
    .on('bulk_edits')
    .columns(['archive_id', 'owner_id', 'id'])
    .execute();
  await schema.createIndex('bulk_edits_state').on('bulk_edits').columns(['state', 'id']).execute();
  await schema
    .createTable('bulk_edit_revisions')
    .addColumn('bulk_edit_id', integer, (column) => column.notNull())
    .addColumn('position', integer, (column) => column.notNull())
    .addColumn('row_id', bigint, (column) => column.notNull())
    .addColumn('version', integer, (column) => column.notNull())
    .addColumn('outcome', text, (column) => column.notNull())
    .addColumn('changes', text, (column) => column.notNull())
    .addColumn('message', text)
    .addPrimaryKeyConstraint('bulk_edit_revisions_key', ['bulk_edit_id', 'position'])
    .modifyEnd(strictByKey)
    .execute();
  await schema
    .createIndex('bulk_edit_revisions_outcome')
    .on('bulk_edit_revisions')
    .columns(['bulk_edit_id', 'outcome', 'position'])
    .execute();
}
