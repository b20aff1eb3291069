import * as texts from '#messages/service/http.ts';
import type { FastifyRequest } from 'fastify';
import type { Transaction } from '#server/database/database.ts';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { accessOf, allows, type Access } from '#shared/rules/rights.ts';
import type { Caller, Client, Targets } from './route.ts';
import type { Service } from './service.ts';
import { requireSession } from './session.ts';

/** What a request may do. */
export interface Authorization<Target extends keyof Targets> {
  readonly caller: Caller;
  readonly target: Targets[Target];
  readonly access: Access;
}

interface Wanted<Target extends keyof Targets> {
  readonly target: Target;
  /** null: any, as long as the target is visible */
  readonly access: Access | null;
}

/**
 * Checks session, target and right, in this order (docs/interface/decisions.md, section 3).
 * @throws {ApiError} 401; 409 `other_session`; 404 where the target does not exist for the user; 403
 */
export async function authorize<Target extends keyof Targets>(
  service: Service,
  db: Transaction,
  request: FastifyRequest,
  client: Client,
  params: Readonly<Record<string, string>>,
  wanted: Wanted<Target>,
): Promise<Authorization<Target>> {
  const caller = await requireSession(service, db, request, client);
  const find: Finders[Target] = FINDERS[wanted.target];
  const { target, access } = await find(service, db, params, caller);
  if (wanted.access !== null && !allows(access, wanted.access)) {
    throw new ApiError('forbidden', texts.rightMissing);
  }
  return { caller, target, access };
}

type Finders = {
  readonly [Target in keyof Targets]: (
    service: Service,
    db: Transaction,
    params: Readonly<Record<string, string>>,
    caller: Caller,
  ) => Promise<{ readonly target: Targets[Target]; readonly access: Access }>;
};

const FINDERS: Finders = {
  none: () => Promise.resolve({ target: null, access: 'manage' }),
  async archive(service, db, params, caller) {
    const target = await service.findArchive(db, params['archive'] ?? '');
    const access = target && (await accessTo(service, db, caller, target));
    if (!access) throw new ApiError('not_found', texts.noArchive);
    return { target, access };
  },
  async table(service, db, params, caller) {
    const target = await service.findTable(db, params['guid'] ?? '');
    const access = target && (await accessTo(service, db, caller, target));
    if (!access) throw new ApiError('not_found', texts.noTable);
    return { target, access };
  },
};

async function accessTo(
  service: Service,
  db: Transaction,
  { userId, role }: Caller,
  collection: Archive | Table,
): Promise<Access | null> {
  if (role === 'administrator') return accessOf(role, null);
  return accessOf(role, await service.grantedAccess(db, userId, collection.kind, collection.id));
}
