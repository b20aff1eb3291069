import * as texts from '#messages/service/http.ts';
import * as factorTexts from '#messages/service/factors.ts';
import type { FastifyRequest } from 'fastify';
import type { Database, Transaction } from '#server/database/database.ts';
import { fieldNumbersOf, fullCollectionOf } from '#server/database/records/collection-view.ts';
import { wrapDatabase } from '#server/database/wrap-database.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { isSameName } from '#shared/rules/names.ts';
import { allows, type Access } from '#shared/rules/rights.ts';
import { hasSafeMethod } from './client.ts';
import { notFound } from './error-answers.ts';
import type { OwnAccount, Caller, Client, PathParams, RouteDescription, Targets } from './route.ts';
import type { HttpServices } from './http-services.ts';
import { requireSession } from './session.ts';

/** What a request is allowed to do. */
export interface Authorization<Target extends keyof Targets> {
  readonly caller: Caller;
  readonly target: Targets[Target];
  readonly access: Access;
}

/** What `authorize` needs to know of a request to a call. */
interface RequestToCall<Target extends keyof Targets> {
  readonly client: Client;
  readonly params: PathParams;
  readonly call: Requirements<Target>;
}

interface Requirements<Target extends keyof Targets> {
  readonly target: Target;
  /** null: any access, if the target is visible */
  readonly access: Access | null;
  readonly isForAdministrators?: boolean;
  readonly isAboutAccount?: true;
  readonly ownAccount?: OwnAccount;
  readonly isAllowedBeforePasswordChange?: true;
  readonly isAllowedInView?: true;
  readonly method: RouteDescription<unknown>['method'];
  readonly isAllowedBeforeEnrolment?: true;
}

/**
 * Checks session, target and right, in this order (docs/interface/decisions.md, section 3).
 * @throws {ApiError} 401; 409 `other_session`; 403 `password_change_required` or `second_factor_enrolment_required`;
 * 403 for a call that writes while an administrator views the service as another user; 404 if the target does not exist
 * for the user; 403
 */
export async function authorize<Target extends keyof Targets>(
  services: HttpServices,
  db: Transaction,
  request: FastifyRequest,
  { client, params, call: wanted }: RequestToCall<Target>,
): Promise<Authorization<Target>> {
  const caller = await requireSession(services, db, request, client);
  if (request.signedIn?.passwordChangeRequired && !wanted.isAllowedBeforePasswordChange) {
    throw new ApiError('password_change_required', texts.passwordChangeRequired);
  }
  requireAllowedInView(request.signedIn?.viewer ?? null, wanted);
  const isBeforeEnrolment = wanted.isAllowedBeforeEnrolment || wanted.isAllowedBeforePasswordChange;
  if (request.signedIn?.secondFactorEnrolmentRequired && !isBeforeEnrolment) {
    throw new ApiError('second_factor_enrolment_required', factorTexts.enrolmentRequired);
  }
  if (wanted.isForAdministrators && caller.role !== 'administrator') {
    throw new ApiError('forbidden', texts.administratorsOnly);
  }
  const { scope } = caller;
  const isReserved = wanted.isForAdministrators || wanted.isAboutAccount;
  if (scope && isReserved && !(scope.configuration && caller.role === 'administrator')) {
    throw new ApiError('forbidden', texts.notByToken);
  }
  if (scope?.right === 'read' && isReserved && !hasSafeMethod(request)) {
    throw new ApiError('forbidden', texts.rightMissing);
  }
  const find: Finders[Target] = FINDERS[wanted.target];
  const { target, access } = await find(services, db, params, caller);
  if (wanted.access !== null && !allows(access, wanted.access)) {
    throw new ApiError('forbidden', texts.rightMissing);
  }
  // PostgreSQL's text cannot contain NUL, so nothing has such a name.
  if (Object.values(params).some((value) => value.includes('\u0000'))) throw notFound();
  requireOwnAccount(caller, params, wanted);
  return { caller, target, access };
}

/** @throws {ApiError} 403 if the path names another user than the caller, and the call does not allow that */
function requireOwnAccount(
  { username, role }: Caller,
  params: PathParams,
  { ownAccount }: Requirements<keyof Targets>,
): void {
  if (!ownAccount || isSameName(params['username'] ?? '', username)) return;
  if (ownAccount.isOpenToAdministrators && role === 'administrator') return;
  throw new ApiError('forbidden', ownAccount.refusal);
}

/**
 * The same database, for reads after the snapshot in which a request was authorized.
 * @param authorized authorizes the request again; a read throws its errors, and 403 if the caller may see less of it than before
 */
export function withAuthorizedReads<Target extends keyof Targets>(
  database: Database,
  before: Authorization<Target>,
  authorized: (db: Transaction) => Promise<Authorization<Target>>,
): Database {
  return wrapDatabase(database, {
    read: (work, context) =>
      database.read(async (db) => {
        if (!hasSameAccess(await authorized(db), before)) {
          throw new ApiError('forbidden', texts.rightsChanged);
        }
        return work(db);
      }, context),
  });
}

/** Whether no field is hidden that was visible before. Fields that were retired meanwhile are hidden from everyone. */
function hasSameAccess(
  now: Authorization<keyof Targets>,
  before: Authorization<keyof Targets>,
): boolean {
  if (now.caller.role !== before.caller.role || now.target?.id !== before.target?.id) return false;
  if (!now.target || !before.target) return true;
  const visible = fieldNumbersOf(now.target);
  const existing = fieldNumbersOf(fullCollectionOf(now.target));
  const { fields, keywordFields } = before.target;
  return [...fields, ...keywordFields].every(
    ({ number }) => visible.has(number) || !existing.has(number),
  );
}

/** @throws {ApiError} 403 if an administrator views the service as another user, and the call is not allowed then */
function requireAllowedInView(
  viewer: { readonly isViewOver: boolean } | null,
  { method, isAllowedInView }: Requirements<keyof Targets>,
): void {
  if (!viewer || isAllowedInView) return;
  if (viewer.isViewOver) throw new ApiError('forbidden', texts.viewedUserDisabled);
  if (method !== 'GET') throw new ApiError('forbidden', texts.viewIsReadOnly);
}

type Finders = {
  readonly [Target in keyof Targets]: (
    services: HttpServices,
    db: Transaction,
    params: PathParams,
    caller: Caller,
  ) => Promise<{ readonly target: Targets[Target]; readonly access: Access }>;
};

const FINDERS: Finders = {
  none: (_service, _db, _params, { scope }) =>
    Promise.resolve({ target: null, access: scope?.right ?? 'manage' }),
  async archive(services, db, params, caller) {
    const archive = await services.definitions.findArchive(db, params['archive'] ?? '');
    const visible = archive && (await services.visibleTo(db, caller, archive));
    if (!visible) throw new ApiError('not_found', texts.noArchive);
    return { target: visible.collection, access: visible.access };
  },
  async table(services, db, params, caller) {
    const table = await services.definitions.findTable(db, params['guid'] ?? '');
    const visible = table && (await services.visibleTo(db, caller, table));
    if (!visible) throw new ApiError('not_found', texts.noTable);
    return { target: visible.collection, access: visible.access };
  },
};
