import * as texts from '#messages/document-upload.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { createStore, type Store } from '#web/api/create-store.ts';
import { hasStatus, summary, toFailure } from '#web/api/failure.ts';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { findByName, nameKey } from '#shared/rules/names.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { answers, onlyItem } from '#web/api/load-answer-schemas.ts';
import { write, writeOnly } from '#web/api/request.ts';
import { fileKey, readStored, rememberStored, uploadKey } from './upload-key.ts';

/** The value of an index field stored with a file. */
export interface IndexValue {
  readonly name: string;
  readonly value: Scalar;
}

/** The index data of a file, or why it is invalid. */
export type IndexDataOfFile = readonly IndexValue[] | { readonly problem: string };

export interface UploadItem {
  readonly file: File;
  readonly key: string;
  readonly state: 'waiting' | 'sending' | 'done' | 'before' | 'failed';
  /** why it failed, or why it has not the index data that was chosen */
  readonly message: string | null;
  /** of a file that is stored, even if its index data failed */
  readonly revisionId: string | null;
}

/** A file whose upload has begun and which does not have its index data yet. */
interface SentFile {
  /** the index data of its first call */
  readonly indexData: readonly IndexValue[];
  /** what the service has stored; null: unknown */
  readonly stored: StoredFile | null;
}

interface StoredFile {
  readonly revisionId: string;
  readonly etag: string | null;
}

/** Concurrent uploads: the service receives several while one is flushed to disk. */
const AT_ONCE = 6;
/** Interval between renderings of the list, in milliseconds. */
const SHOWN_EVERY = 120;
/** Interval between writes of the stored keys, in milliseconds. */
const REMEMBERED_EVERY = 2_000;

/** Statuses of an upload that is not stored. */
const REFUSALS = [400, 404, 413, 415, 422];

/** The service stored the file when it was sent before, with index data that this page does not know. */
class StoredEarlier extends Error {}

/** The errors of a call whose key was used before: the file is stored. Other conflicts, as of another session, store nothing. */
const STORED_BEFORE: readonly string[] = ['http.idempotencyKeyUsed', 'http.answerNotRepeatable'];

function isStoredEarlier(error: unknown): boolean {
  const failure = toFailure(error);
  const details = failure.kind === 'api' ? failure.details : undefined;
  return details?.some(({ code }) => STORED_BEFORE.includes(code)) ?? false;
}

/** Uploads files as documents of an archive, several at once. A file that was stored is not sent again. */
export class Uploader {
  /** the list as shown; it follows the uploads with a short delay */
  readonly shown: Store<readonly UploadItem[]> = createStore<readonly UploadItem[]>([]);
  readonly isRunning: Store<boolean> = createStore(false);
  readonly #username: string;
  readonly #archive: string;
  readonly #guid: string;
  readonly #stored: Set<string>;
  /** by the key of the file */
  readonly #sent = new Map<string, SentFile>();
  #items: UploadItem[] = [];
  #stopping = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #rememberedAt = 0;

  /** @param guid of the archive: another archive may have had its name before */
  constructor(username: string, { table, guid }: Pick<ArchiveDetail, 'table' | 'guid'>) {
    this.#username = username;
    this.#archive = table;
    this.#guid = guid;
    this.#stored = readStored(username, guid);
  }

  /** Adds files; one that is in the list already is left out. */
  add(files: readonly File[]): void {
    const known = new Set(this.#items.map(({ key }) => key));
    for (const file of files) {
      const key = fileKey(file);
      if (known.has(key)) continue;
      known.add(key);
      const state = this.#stored.has(key) ? 'before' : 'waiting';
      this.#items.push({ file, key, state, message: null, revisionId: null });
    }
    this.#show();
  }

  clear(): void {
    this.#items = [];
    this.#show();
  }

  /** Uploads the waiting files. @param valuesOf the index data of a file, or why it has none */
  async start(valuesOf: (file: File) => IndexDataOfFile): Promise<void> {
    if (this.isRunning.get()) return;
    this.isRunning.set(true);
    this.#stopping = new AbortController();
    const { signal } = this.#stopping;
    let next = 0;
    const work = async () => {
      while (!signal.aborted) {
        const at = next++;
        const item = this.#items[at];
        if (!item) return;
        if (item.state === 'waiting') await this.#send(at, item, valuesOf(item.file), signal);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    this.#remember(true);
    this.#show();
    this.isRunning.set(false);
  }

  /** Interrupted files are sent again when the upload is resumed. */
  stop(): void {
    this.#stopping.abort();
  }

  retry(): void {
    this.#items = this.#items.map((item) =>
      item.state === 'failed' ? { ...item, state: 'waiting', message: null } : item,
    );
    this.#show();
  }

  async #send(
    at: number,
    item: UploadItem,
    values: IndexDataOfFile,
    signal: AbortSignal,
  ): Promise<void> {
    if ('problem' in values) {
      this.#set(at, { ...item, state: 'failed', message: values.problem });
      return;
    }
    this.#set(at, { ...item, state: 'sending' });
    try {
      const stored = await this.#store(item, values, signal);
      this.#set(at, { ...item, ...stored, state: 'done' });
    } catch (error) {
      if (error instanceof StoredEarlier) {
        this.#set(at, { ...item, state: 'before', message: texts.storedWithOtherData });
      } else if (signal.aborted) this.#set(at, { ...item, state: 'waiting' });
      else {
        const failure = toFailure(error);
        const errors = failure.kind === 'api' ? Object.values(failure.errors).flat() : [];
        const message = errors.length > 0 ? errors.join(' ') : summary(failure);
        const revisionId = this.#sent.get(item.key)?.stored?.revisionId ?? null;
        this.#set(at, { ...item, state: 'failed', message, revisionId });
      }
    }
  }

  /**
   * Stores a file once. If the outcome of its first call is unknown, that call is repeated unchanged, so that the
   * service recognises it; index data that has changed since is then corrected, unless someone else has changed the
   * document.
   */
  async #store(
    item: UploadItem,
    indexData: readonly IndexValue[],
    signal: AbortSignal,
  ): Promise<Pick<UploadItem, 'revisionId' | 'message'>> {
    const { file, key } = item;
    const before = this.#sent.get(key);
    const sent = before ?? { indexData, stored: null };
    this.#sent.set(key, sent);
    let { stored } = sent;
    try {
      stored ??= await this.#create(file, key, sent.indexData, signal);
    } catch (error) {
      if (isStoredEarlier(error)) {
        // Its key was used with other index data, before the page was left: an error leaves the key unused.
        this.#sent.delete(key);
        this.#stored.add(key);
        this.#remember(false);
        throw new StoredEarlier();
      }
      // Not stored: the next call may have other index data.
      if (!hasStatus(error, ...REFUSALS)) throw error;
      this.#sent.delete(key);
      if (!before) throw error;
      return this.#store(item, indexData, signal);
    }
    this.#sent.set(key, { ...sent, stored });
    this.#stored.add(key);
    this.#remember(false);
    const changes = changesBetween(sent.indexData, indexData);
    const isCorrect = await this.#correct(stored, changes, signal);
    this.#sent.delete(key);
    return { revisionId: stored.revisionId, message: isCorrect ? null : texts.changedMeanwhile };
  }

  async #create(
    file: File,
    key: string,
    indexData: readonly IndexValue[],
    signal: AbortSignal,
  ): Promise<StoredFile> {
    const values = indexData.map(({ name, value }) => ({ name, value: String(value ?? '') }));
    const form = new FormData();
    for (const [i, { name, value }] of values.entries()) {
      form.set(`indexFields[${i}][name]`, name);
      form.set(`indexFields[${i}][value]`, value);
    }
    form.set('files[0]', file, file.name);
    const { data, etag } = await write(apiPaths.documents(this.#archive), {
      method: 'POST',
      body: form,
      idempotencyKey: uploadKey(this.#guid, key),
      signal,
      parse: async (raw) =>
        onlyItem((await answers()).revisionsAnswer.parse(raw).archivedocumentrevisions),
    });
    return { revisionId: data.revisionId, etag };
  }

  /** Changes values of a revision. @returns false if someone else has changed it meanwhile: then nothing is changed */
  async #correct(
    { revisionId, etag }: StoredFile,
    indexFields: readonly IndexValue[],
    signal: AbortSignal,
  ): Promise<boolean> {
    if (indexFields.length === 0) return true;
    try {
      await writeOnly(apiPaths.indexData(this.#archive, revisionId), {
        method: 'PATCH',
        body: { indexFields },
        ifMatch: etag,
        signal,
      });
      return true;
    } catch (error) {
      if (!hasStatus(error, 412)) throw error;
      return false;
    }
  }

  #set(at: number, item: UploadItem): void {
    this.#items[at] = item;
    this.#timer ??= setTimeout(() => this.#show(), SHOWN_EVERY);
  }

  #show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.shown.set([...this.#items]);
  }

  #remember(now: boolean): void {
    if (!now && Date.now() - this.#rememberedAt < REMEMBERED_EVERY) return;
    this.#rememberedAt = Date.now();
    rememberStored(this.#username, this.#guid, this.#stored);
  }
}

/** The values to change after a file was stored with other index data; fields that are now left out get no value. */
function changesBetween(
  before: readonly IndexValue[],
  now: readonly IndexValue[],
): readonly IndexValue[] {
  const names = new Map([...before, ...now].map(({ name }) => [nameKey(name), name]));
  return [...names.values()].flatMap((name) => {
    const { value } = findByName(now, name) ?? { value: null };
    return findByName(before, name)?.value === value ? [] : { name, value };
  });
}
