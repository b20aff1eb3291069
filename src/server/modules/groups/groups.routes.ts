import * as texts from '#messages/service/people.ts';
import type { Transaction } from '#server/database/database.ts';
import { contentEtag } from '#server/http/content-etag.ts';
import { defineRead, defineRoute, type AnyRoute, FOR_ADMINISTRATORS } from '#server/http/route.ts';
import { groupsAnswer } from '#shared/contract/configuration-people.ts';
import {
  changeGroupBody,
  createGroupBody,
} from '#shared/contract/configuration-people-requests.ts';
import { ApiError, EntryErrors } from '#shared/contract/errors.ts';
import { matchesTag } from '#shared/contract/etags.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import { readDefined } from '../rights/named-rights.ts';
import {
  changeGroup,
  createGroup,
  deleteGroup,
  findGroup,
  listGroups,
  presentGroup,
  type StoredGroup,
} from './groups.service.ts';

const GROUPS = 'configuration/groups';
const GROUP = `${GROUPS}/:name`;

/** The calls of administrators about groups (docs/interface/administration.md, section 2). */
export function groupRoutes(definitions: Definitions): AnyRoute[] {
  const definedIn = (db: Transaction) => readDefined(db, definitions);
  const answerOne = async (db: Transaction, group: StoredGroup) => {
    const presented = await presentGroup(db, await definedIn(db), group);
    return { body: { groups: [presented] }, headers: { etag: contentEtag(presented) } };
  };
  /** @throws {ApiError} 412 with the current group */
  const requireMatch = async (db: Transaction, group: StoredGroup, ifMatch: string | null) => {
    if (ifMatch === null) return;
    const current = await presentGroup(db, await definedIn(db), group);
    if (matchesTag(ifMatch, contentEtag(current))) return;
    throw new ApiError('changed_meanwhile', texts.changedMeanwhile, { current });
  };
  return [
    defineRead({
      ...FOR_ADMINISTRATORS,
      path: GROUPS,
      summary: 'The groups, sorted by name',
      answer: groupsAnswer,
      handle: async (db) => ({ body: { groups: await listGroups(db, await definedIn(db)) } }),
    }),
    defineRead({
      ...FOR_ADMINISTRATORS,
      path: GROUP,
      summary: 'One group',
      answer: groupsAnswer,
      handle: async (db, { params }) => answerOne(db, await findGroup(db, params['name'] ?? '')),
    }),
    defineRoute({
      ...FOR_ADMINISTRATORS,
      method: 'POST',
      path: GROUPS,
      summary: 'Add a group',
      access: 'manage',
      body: createGroupBody,
      answer: groupsAnswer,
      status: 201,
      async handle(db, { body, caller, call }) {
        const actor = { ...caller, call };
        return answerOne(db, await createGroup(db, await definedIn(db), body.group, actor));
      },
    }),
    defineRoute({
      ...FOR_ADMINISTRATORS,
      method: 'PATCH',
      path: GROUP,
      summary: 'Change a group',
      description: 'Replaces the given properties; `rights` and `members` are replaced as a whole.',
      access: 'manage',
      body: changeGroupBody,
      answer: groupsAnswer,
      async handle(db, { params, body, ifMatch, caller, call }) {
        const group = await findGroup(db, params['name'] ?? '');
        const actor = { ...caller, call };
        const defined = await definedIn(db);
        const errors = new EntryErrors();
        await errors.collect(() => requireMatch(db, group, ifMatch));
        const change = () => changeGroup(db, defined, group, body.group, actor);
        const changed = await errors.collect(change);
        errors.throwIfAny(true);
        return answerOne(db, changed ?? group);
      },
    }),
    defineRoute({
      ...FOR_ADMINISTRATORS,
      method: 'DELETE',
      path: GROUP,
      summary: 'Delete a group',
      description: 'Its members lose its rights.',
      access: 'manage',
      answer: null,
      async handle(db, { params, ifMatch, caller, call }) {
        const group = await findGroup(db, params['name'] ?? '');
        await requireMatch(db, group, ifMatch);
        await deleteGroup(db, group, { ...caller, call });
        return {};
      },
    }),
  ];
}
