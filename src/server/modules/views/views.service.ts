import * as texts from '#messages/service/workspace.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { withHiddenParts } from '#server/http/hidden-parts.ts';
import { visibleQuery } from '#server/http/visible-query.ts';
import type { View } from '#shared/contract/workspace-answers.ts';
import type { ViewBody } from '#shared/contract/workspace-requests.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { allows, type Access } from '#shared/rules/rights.ts';
import * as store from './views.store.ts';
import type { StoredView } from './views.store.ts';

export { renameFieldsInViews, writeLastView } from './views.store.ts';

/** The user of a request, with the right on the archive or table. */
export interface ViewContext {
  readonly userId: number;
  readonly collection: Collection;
  readonly access: Access;
}

const MAX_VIEWS = 200;

/** The user's own views and the shared ones, in the order of their names. */
export async function listViews(db: Transaction, context: ViewContext): Promise<View[]> {
  const views = await store.readViews(db, context.collection, context.userId);
  return views.map((view) => presentView(view, context));
}

/**
 * Creates a view.
 * @throws {ApiError} 403 if it is to be shared without the right to manage; 409 if the name is taken
 */
export async function createView(
  db: Transaction,
  context: ViewContext,
  body: ViewBody,
): Promise<View> {
  if (body.shared) requireManage(context);
  const named = { ...body, name: body.name.trim() };
  await requireFreeName(db, context.collection, context.userId, named.name, null);
  const views = await store.readViews(db, context.collection, context.userId);
  if (views.filter(({ userId }) => userId === context.userId).length >= MAX_VIEWS) {
    throw new ApiError('validation_failed', texts.tooManyViews({ max: MAX_VIEWS }));
  }
  const id = await store.insertView(db, context.collection, context.userId, named);
  return presentView(await requireView(db, context, id), context);
}

/**
 * Changes an own view, or a shared one with the right to manage. Parts of the view that are hidden from the user stay
 * unchanged.
 * @throws {ApiError} 404, 403, 409
 */
export async function changeView(
  db: Transaction,
  context: ViewContext,
  id: number,
  body: ViewBody,
): Promise<View> {
  const view = await requireView(db, context, id);
  if (view.shared || body.shared) requireManage(context);
  const search = withHiddenParts(context.collection, view.search, body.search);
  const named = { ...body, name: body.name.trim(), search };
  await requireFreeName(db, context.collection, view.userId, named.name, id);
  await store.updateView(db, id, named);
  return presentView({ ...view, ...named }, context);
}

/** @throws {ApiError} 404, 403 */
export async function deleteView(db: Transaction, context: ViewContext, id: number): Promise<void> {
  const view = await requireView(db, context, id);
  if (view.shared) requireManage(context);
  await store.deleteViewRow(db, id);
}

/**
 * Creates the shared views of a definition file; existing names stay as they are.
 * @returns the names of the new views
 */
export async function addLoadedViews(
  db: Transaction,
  collection: Collection,
  views: readonly Omit<ViewBody, 'shared'>[],
): Promise<string[]> {
  const added: string[] = [];
  for (const view of views) {
    const name = view.name.trim();
    if (await store.hasViewNamed(db, collection, null, name, null)) continue;
    await store.insertView(db, collection, null, { ...view, name, shared: true });
    added.push(name);
  }
  return added;
}

/** The list's state when the user last left it; null: the user has not opened it. */
export async function readLastView(db: Transaction, collection: Collection, userId: number) {
  const search = await store.readLastSearch(db, collection, userId);
  return search && visibleQuery(collection, search);
}

/** The shared views of an archive or table. */
export async function readSharedViews(
  db: Transaction,
  collection: Collection,
): Promise<StoredView[]> {
  return (await store.readViews(db, collection, 0)).filter(({ shared }) => shared);
}

async function requireView(
  db: Transaction,
  { collection, userId }: ViewContext,
  id: number,
): Promise<StoredView> {
  const view = (await store.readViews(db, collection, userId)).find((stored) => stored.id === id);
  if (!view) throw new ApiError('not_found', texts.noView({ kind: collection.kind }));
  return view;
}

function requireManage({ access, collection }: ViewContext): void {
  if (allows(access, 'manage')) return;
  throw new ApiError('forbidden', texts.sharedViewNeedsManage({ kind: collection.kind }));
}

async function requireFreeName(
  db: Transaction,
  collection: Collection,
  userId: number | null,
  name: string,
  except: number | null,
): Promise<void> {
  if (!(await store.hasViewNamed(db, collection, userId, name, except))) return;
  throw new ApiError('conflict', { name: [texts.viewNameTaken({ name })] });
}

function presentView(view: StoredView, { userId, collection }: ViewContext): View {
  return {
    viewId: String(view.id),
    name: view.name,
    shared: view.shared,
    owner: view.username,
    mine: view.userId === userId,
    search: visibleQuery(collection, view.search),
  };
}
