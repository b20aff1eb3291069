/** @module-tag slow */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { buildUser, openApp, type TestAnswer, type TestClient } from '#tests/support/app.ts';
import { buildArchive, buildRecords, buildTable } from '#tests/support/builders.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import {
  callsOf,
  forbiddenBodies,
  writtenRequest,
  type DescribedCall,
  type DescribedRequest,
} from '#tests/support/described-calls.ts';
import { IS_LONG_RUN, repeated } from '#tests/support/effort.ts';

/*
 * Requests at random from the OpenAPI document, under the names and meanings of the checks of Schemathesis.
 * `npm run fuzz` sends 100,000.
 */

const REQUESTS = repeated(2_000);
/** Of each call only one request that it has to allow, and few that it has to refuse. */
const IS_SHORT = !IS_LONG_RUN;
/** Fixed, so that a run is like every other. */
const SEED = 20261123;
/** Of the requests that a call has to refuse, so many in each round. */
const FORBIDDEN_AT_ONCE = IS_SHORT ? 2 : 8;
const LIMIT = 300_000 + REQUESTS * 60;

/** Has no end, begins work in the background that outlasts the test, or is a provider's matter (tests/server/oidc). */
const LEFT_OUT = /^getEvents$|^postConfigurationSystem|Oidc/;
/** What a fuzzer's own requests of these calls would end: the session. */
const ENDS_SESSION = /^(?:delete|post)Sessions|^putUsersUsernamePassword/;
/** Definitions, whose parts depend on each other, and secrets, which no schema knows. */
const DEPENDENT =
  /^(?:post|put)Configuration|Sessions|UsersUsernamePassword|^postTokens|^postUsersUsernameFactors/;
/** What depends on the content of an archive or table, or on two parameters together, not on the shape of a request. */
const OF_CONTENT =
  /^There is no |belongs to another|is named more than once|is of type|no revision matches|^You can have at most \d+ views|, not both\.$/;

/** The same on both databases. */
let described: readonly DescribedCall[] | undefined;

interface Written {
  readonly path: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

describeOnBothDatabases(
  'requests made of the description of the interface',
  (open, { dialect }) => {
    /** What a request is refused for lies above the database: on PostgreSQL each call is only tried as it is allowed. */
    const isBrief = dialect === 'postgres' && IS_SHORT;
    let client: TestClient;
    let stranger: TestClient;
    let calls: readonly DescribedCall[];
    let victimTable: string;
    let ids: Readonly<Record<string, string>>;
    /** what no other request has filled */
    let unused: { readonly archive: string; readonly table: string };
    const failures = new Map<string, string>();
    let sent = 0;

    beforeAll(async () => {
      const t = await openApp(open);
      const archive = await buildArchive(t.database, [{ name: 'NO' }], ['SUBJECT']);
      const table = await buildTable(t.database, [{ name: 'name' }]);
      await buildRecords(t.database, archive, [['R-1'], ['R-2']]);
      await buildRecords(t.database, table, [['a'], ['b']]);
      const otherArchive = await buildArchive(t.database, [{ name: 'NO' }]);
      const otherTable = await buildTable(t.database, [{ name: 'name' }]);
      await buildRecords(t.database, otherArchive, [['R-1']]);
      unused = { archive: otherArchive.name, table: otherTable.guid };
      await buildUser(t.database, { username: 'admin', role: 'administrator' });
      await buildUser(t.database, { username: 'victim' });
      client = await t.signedIn('admin');
      const fields = {
        name: 'VICTIM',
        table: 'VICTIM',
        indexFields: [{ name: 'NO', type: 'text' }],
      };
      await client.post('configuration/archives', { archive: fields });
      const columns = [{ name: 'VICTIM', type: 'text' }];
      const { body } = await client.post('configuration/tables', {
        table: { name: 'VICTIM', label: 'Victim', columns },
      });
      victimTable = String(Object(body).tables[0].guid);
      await client.post('configuration/groups', { group: { name: 'VICTIM' } });
      stranger = t.client();
      ids = {
        archive: archive.name,
        guid: table.guid,
        indexfield: 'NO',
        column: 'name',
        username: 'admin',
      };
      described ??= callsOf((await client.get('openapi.json')).body);
      calls = described.filter(({ id }) => !LEFT_OUT.test(id));
    });

    const pathOf = ({ path }: DescribedCall) =>
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        // Administration is tried on what the other calls do not need.
        if (path.startsWith('configuration/')) {
          if (name === 'username') return 'victim';
          return name === 'guid' ? victimTable : name.endsWith('Id') ? '1' : 'VICTIM';
        }
        return ids[name] ?? '1';
      });

    const isEnough = () => sent >= REQUESTS;

    const fail = (check: string, { id }: DescribedCall, what: string) => {
      const key = `${check} ${id}`;
      if (!failures.has(key)) failures.set(key, `${key}: ${what.slice(0, 600)}`);
    };

    const send = async (
      call: DescribedCall,
      request: DescribedRequest,
      by: TestClient = client,
    ): Promise<TestAnswer> => {
      const { path, body, headers } = writtenRequest(call, pathOf(call), request);
      return sendRaw(call, path, body, headers, by);
    };

    /** Sends a request, and checks what is true of every answer. */
    const sendRaw = async (
      call: DescribedCall,
      path: string,
      body: unknown,
      headers: Readonly<Record<string, string>>,
      by: TestClient = client,
    ): Promise<TestAnswer> => {
      sent += 1;
      const answer = await by.send(call.method, path, body, { headers });
      const { status, text } = answer;
      const about = `${call.method} ${path} ${JSON.stringify(body)?.slice(0, 200)} → ${status} ${text.slice(0, 300)}`;
      if (status >= 500) fail('not_a_server_error', call, about);
      const described = call.answers.get(status);
      if (!described) {
        fail('status_code_conformance', call, about);
        return answer;
      }
      const [type = ''] = (answer.headers['content-type'] ?? '').split(';');
      // A file's schema is null: only its media type is described.
      const schema = described.get(described.has(type) ? type : '*/*');
      if (described.size === 0 ? text !== '' : schema === undefined) {
        fail('content_type_conformance', call, `${type}: ${about}`);
      }
      const problem = schema?.safeParse(answer.body).error;
      if (problem) fail('response_schema_conformance', call, `${problem.message} ${about}`);
      return answer;
    };

    /** Whether an answer refuses the form of a request, and not what it says of this archive or table. */
    const isRefused = ({ status, body }: TestAnswer): boolean => {
      if (status < 400) return false;
      const { errors } = errorBodySchema.parse(body);
      const about = status === 422 ? (errors['-'] ?? []) : Object.values(errors).flat();
      return (
        [400, 413, 415, 422, 500].includes(status) && about.some((one) => !OF_CONTENT.test(one))
      );
    };

    const mustRefuse = async (call: DescribedCall, { path, body, headers }: Written) => {
      const { status, text } = await sendRaw(call, path, body, headers);
      if (status >= 400) return;
      const about = `${path} ${JSON.stringify(body)?.slice(0, 300)} → ${status} ${text}`;
      fail('negative_data_rejection', call, about);
    };

    /** Requests that the description forbids, made of one that it allows. */
    const forbiddenRequests = (call: DescribedCall, request: DescribedRequest): Written[] => {
      const { path, body, headers } = writtenRequest(call, pathOf(call), request);
      const unknown = `${path}${path.includes('?') ? '&' : '?'}noSuchParameter=1`;
      const as = (type: string, text: unknown): Written => ({
        path,
        body: text,
        headers: { ...headers, 'content-type': type },
      });
      const others: Written[] = [{ path: unknown, body, headers }];
      if (call.bodyType === 'application/json') {
        const texts = ['{"a":', '{"a":1,"a":2}', String.raw`{"a":"\ud800"}`, '\u0000'];
        if (call.needsBody) texts.push('');
        others.push(as('text/xml', '<a/>'), ...texts.map((text) => as('application/json', text)));
        for (const forbidden of forbiddenBodies(call.bodySchema, request.body)) {
          others.push({ path, body: JSON.stringify(forbidden), headers });
        }
      } else if (call.bodyType !== null && Buffer.isBuffer(body)) {
        const part = '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n';
        others.push(
          { path, body: body.subarray(0, body.length - 8), headers },
          as('multipart/form-data', body),
          as('application/json', '{}'),
          as('multipart/form-data; boundary=b', part),
        );
      }
      return others;
    };

    /** None, a token and a cookie that are not valid, in turn. */
    const credentialsOf = (round: number): Readonly<Record<string, string>> => {
      switch (round % 3) {
        case 0:
          return {};
        case 1:
          return { authorization: `Bearer idx_${round}` };
        default:
          return { cookie: `indexdesk_session=${round}` };
      }
    };

    const mustNeedSession = async (
      call: DescribedCall,
      request: DescribedRequest,
      headers: Readonly<Record<string, string>>,
    ) => {
      const { path, body, headers: own } = writtenRequest(call, pathOf(call), request);
      const { status } = await sendRaw(call, path, body, { ...own, ...headers }, stranger);
      if (status !== 401) fail('ignored_auth', call, `${JSON.stringify(headers)} → ${status}`);
    };

    it(
      'pass every check',
      async () => {
        expect(calls.length).toBeGreaterThan(90);
        // Different kinds of what is wrong from call to call, and from round to round.
        let tried = 0;
        for (let round = 0; IS_SHORT ? round < 1 : !isEnough(); round++) {
          for (const call of calls) {
            if (!IS_SHORT && isEnough()) break;
            const isOwnSession = !ENDS_SESSION.test(call.id);
            const numRuns = IS_SHORT ? 1 : isOwnSession ? 6 : 2;
            const requests = fc.sample(call.requests, { numRuns, seed: SEED + round });
            for (const request of requests) {
              const answer = await send(call, request, isOwnSession ? client : stranger);
              if (isOwnSession && !DEPENDENT.test(call.id) && isRefused(answer)) {
                fail('positive_data_acceptance', call, JSON.stringify(request) + answer.text);
              }
            }
            const [request] = requests;
            if (!request) continue;
            if (isBrief) continue;
            if (call.needsSession) await mustNeedSession(call, request, credentialsOf(tried++));
            if (!isOwnSession) continue;
            const forbidden = forbiddenRequests(call, request);
            for (let i = 0; i < FORBIDDEN_AT_ONCE && i < forbidden.length; i++) {
              const one = forbidden[(tried * FORBIDDEN_AT_ONCE + i) % forbidden.length];
              if (one) await mustRefuse(call, one);
            }
          }
        }
        expect([...failures.values()]).toEqual([]);
      },
      LIMIT,
    );

    // Only texts of PostgreSQL cannot hold it.
    const onPostgres = dialect === 'postgres' || IS_LONG_RUN;
    it.runIf(onPostgres)('answer 404 to names with NUL, which nothing has', async () => {
      for (const call of calls.filter(({ needsSession }) => needsSession)) {
        const [request] = fc.sample(call.requests, { numRuns: 1, seed: SEED });
        if (!request) continue;
        for (const parameter of call.path.match(/\{\w+\}/g) ?? []) {
          const named = { ...call, path: call.path.replace(parameter, '%00') };
          const { path, body, headers } = writtenRequest(call, pathOf(named), request);
          const { status, text } = await sendRaw(call, path, body, headers);
          if (status !== 404) fail('names_with_nul', call, `${path} → ${status} ${text}`);
        }
      }
      expect([...failures.values()]).toEqual([]);
    });

    it('answer 404 to what was deleted (use_after_free)', async () => {
      const made = z.record(z.string(), z.unknown());
      const records = z.array(z.record(z.string(), z.unknown()));
      const inArchive = `application/archiveapp/archives/${unused.archive}`;
      const inTable = `application/dataapp/tables/${unused.table}`;
      const user = { user: { username: 'brief', password: 'nine otters under the bridge' } };
      for (const [path, body, id] of [
        [`${inArchive}/queues`, { filter: '' }, 'queueId'],
        [`${inArchive}/views`, { name: 'brief', shared: false, search: '' }, 'viewId'],
        [`${inTable}/views`, { name: 'brief', shared: false, search: '' }, 'viewId'],
        [`${inTable}/datasets`, { dataset: { name: 'brief' } }, 'jrid'],
        ['configuration/users', user, 'username'],
        ['configuration/groups', { group: { name: 'BRIEF' } }, 'name'],
      ] as const) {
        const answer = await client.post(path, body);
        const list = Object.values(made.parse(answer.body)).find(Array.isArray);
        const name = String(records.parse(list)[0]?.[id]);
        const one = `${path}/${name}`;
        const deletion =
          id === 'jrid' ? client.delete(path, { datasets: [{ jrid: name }] }) : client.delete(one);
        expect([one, (await deletion).status]).toEqual([one, 204]);
        if (id !== 'viewId') expect([one, (await client.get(one)).status]).toEqual([one, 404]);
        if (id !== 'jrid') expect([one, (await client.delete(one)).status]).toEqual([one, 404]);
      }
    });
  },
);
