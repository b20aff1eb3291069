import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { ViewBody } from '#shared/contract/workspace-requests.ts';
import { nameKey } from '#shared/rules/names.ts';

export type StoredView = Awaited<ReturnType<typeof readViews>>[number];

/** A user's own views and the shared ones, in the order of their names. */
export async function readViews(db: Transaction, collection: Collection, userId: number) {
  const rows = await db.k
    .selectFrom('views')
    .leftJoin('users', 'users.id', 'views.user_id')
    .select(['views.id', 'views.user_id as userId', 'users.username', 'views.name'])
    .select(['shared', 'search'])
    .where('scope', '=', collection.kind)
    .where('thing_id', '=', collection.id)
    .where((of) => of.or([of('views.user_id', '=', userId), of('shared', '=', 1)]))
    .orderBy('name_key')
    .orderBy('views.id')
    .execute();
  return rows.map(({ shared, ...view }) => ({ ...view, shared: shared === 1 }));
}

/** Whether the user has another view of this name for the archive or table. */
export async function hasViewNamed(
  db: Transaction,
  collection: Collection,
  userId: number | null,
  name: string,
  except: number | null,
): Promise<boolean> {
  const row = await db.k
    .selectFrom('views')
    .select('id')
    .where('scope', '=', collection.kind)
    .where('thing_id', '=', collection.id)
    .where('user_id', userId === null ? 'is' : '=', userId)
    .where('name_key', '=', nameKey(name))
    .$if(except !== null, (query) => query.where('id', '!=', except ?? 0))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

function columnsOf({ name, shared, search }: ViewBody) {
  return { name, name_key: nameKey(name), shared: Number(shared), search };
}

export async function insertView(
  db: Transaction,
  collection: Collection,
  userId: number | null,
  body: ViewBody,
): Promise<number> {
  const { id } = await db.k
    .insertInto('views')
    .values({
      scope: collection.kind,
      thing_id: collection.id,
      user_id: userId,
      ...columnsOf(body),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateView(db: Transaction, id: number, body: ViewBody): Promise<void> {
  await db.k.updateTable('views').set(columnsOf(body)).where('id', '=', id).execute();
}

export async function deleteViewRow(db: Transaction, id: number): Promise<void> {
  await db.k.deleteFrom('views').where('id', '=', id).execute();
}

export async function readLastSearch(
  db: Transaction,
  collection: Collection,
  userId: number,
): Promise<string | null> {
  const row = await db.k
    .selectFrom('last_views')
    .select('search')
    .where('scope', '=', collection.kind)
    .where('thing_id', '=', collection.id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.search ?? null;
}

/** Stores the address of the list that a user has last used. */
export async function writeLastView(
  db: Transaction,
  collection: Collection,
  userId: number,
  search: string,
): Promise<void> {
  await db.k
    .insertInto('last_views')
    .values({ scope: collection.kind, thing_id: collection.id, user_id: userId, search })
    .onConflict((conflict) =>
      conflict.columns(['scope', 'thing_id', 'user_id']).doUpdateSet({ search }),
    )
    .execute();
}

/** Renames fields in the addresses of all views of an archive or table, the last ones of users among them. */
export async function renameFieldsInViews(
  db: Transaction,
  { kind, id }: Pick<Collection, 'kind' | 'id'>,
  change: (search: string) => string,
): Promise<void> {
  const views = await db.k
    .selectFrom('views')
    .select(['id', 'search'])
    .where('scope', '=', kind)
    .where('thing_id', '=', id)
    .execute();
  for (const view of views) {
    const search = change(view.search);
    if (search === view.search) continue;
    await db.k.updateTable('views').set({ search }).where('id', '=', view.id).execute();
  }
  const lastViews = await db.k
    .selectFrom('last_views')
    .select(['user_id', 'search'])
    .where('scope', '=', kind)
    .where('thing_id', '=', id)
    .execute();
  for (const last of lastViews) {
    const search = change(last.search);
    if (search === last.search) continue;
    await db.k
      .updateTable('last_views')
      .set({ search })
      .where('scope', '=', kind)
      .where('thing_id', '=', id)
      .where('user_id', '=', last.user_id)
      .execute();
  }
}
