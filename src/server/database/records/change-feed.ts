import { sql } from 'kysely';
import * as z from 'zod';
import { isSameName } from '#shared/names.ts';
import type { Collection } from './collection.ts';
import type { Transaction } from '../database.ts';

/** Changes that are remembered for what was not used since; with older ones it is found anew. */
const MOST_CHANGES = 5_000;

interface Changed {
  /** the entry of the history that tells of it */
  readonly entry: number;
  readonly id: number;
  /** JSON of the names of what was changed; null: the record came or went */
  readonly names: string | null;
}

const namesSchema = z.array(z.string());

/** What has changed in an archive or table from one snapshot to the next, as its history tells. */
export class ChangeFeed {
  readonly #collection: Pick<Collection, 'kind' | 'id'>;
  /** since the entry `#from`, oldest first */
  readonly #changes: Changed[] = [];
  #from = -1;
  #upTo = -1;

  constructor({ kind, id }: Pick<Collection, 'kind' | 'id'>) {
    this.#collection = { kind, id };
  }

  /** the newest entry of the history that was seen */
  get upTo(): number {
    return this.#upTo;
  }

  /** Learns what has changed up to this snapshot. @returns false where the snapshot is older than what is known */
  async follow(db: Transaction): Promise<boolean> {
    const { rows } = await sql<{ newest: number | null }>`
      select max(id) as newest from history`.execute(db.k);
    const newest = rows[0]?.newest ?? 0;
    if (newest <= this.#upTo) return newest === this.#upTo;
    const changed = await this.#read(db);
    if (this.#upTo < 0 || changed.length > MOST_CHANGES) {
      this.#from = newest;
      this.#changes.length = 0;
    } else {
      this.#changes.push(...changed);
      const dropped = this.#changes.splice(0, Math.max(0, this.#changes.length - MOST_CHANGES));
      this.#from = dropped.at(-1)?.entry ?? this.#from;
    }
    this.#upTo = newest;
    return true;
  }

  async #read(db: Transaction): Promise<Changed[]> {
    if (this.#upTo < 0) return [];
    const { kind, id } = this.#collection;
    // By its rows, the index of records and their entries would be read for all that ever was.
    const { rows } = await sql<Changed>`
      select id as entry, row_id as id, case when kind = 'change' then
        (select json_group_array(value ->> 'name') from json_each(changes)) end as names
      from history not indexed where id > ${this.#upTo} and scope = ${kind} and thing_id = ${id} and kind <> 'lock'
      order by id limit ${MOST_CHANGES + 1}`.execute(db.k);
    return rows;
  }

  /**
   * The records that have changed since an entry, each once; undefined where too much has.
   * @param name of a field: those whose value there may have changed
   */
  since(entry: number, name: string | null = null): number[] | undefined {
    if (entry < this.#from) return undefined;
    const ids = new Set<number>();
    for (let at = this.#changes.length - 1; at >= 0; at--) {
      const change = this.#changes[at];
      if (!change || change.entry <= entry) break;
      if (name === null || concerns(change, name)) ids.add(change.id);
    }
    return [...ids];
  }
}

function concerns({ names }: Changed, name: string): boolean {
  if (names === null) return true;
  return namesSchema.parse(JSON.parse(names)).some((other) => isSameName(other, name));
}
