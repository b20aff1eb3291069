import * as texts from '#messages/history.ts';
import type { ArchiveDetail, HistoryEntry } from '#shared/contract/answers.ts';
import { isList, type StoredContent } from '#web/fields/value-checks.ts';
import {
  type EntryChange,
  recordChangeLabel,
  isWritable,
  toStored,
} from '#web/fields/history/entry-changes.ts';

/**
 * The changes of an entry with the labels of the archive's definition. Places have the names of the service:
 * `indexFields.NAME`, `keywordFields.NAME`. Fields that the user can only read have none.
 */
export function changesIn(archive: ArchiveDetail, entry: HistoryEntry): EntryChange[] {
  return entry.changes.map(({ name, before, after }) => {
    const stored = { before: toStored(before), after: toStored(after) };
    const keyword = /^keyword\.(.*)$/s.exec(name)?.[1];
    if (keyword === undefined) {
      const field = archive.indexFieldDefinitions.find((one) => one.name === name);
      return {
        path: isWritable(field) ? `indexFields.${name}` : null,
        label: field?.label ?? recordChangeLabel(name),
        rules: field,
        ...stored,
      };
    }
    const field = archive.keywordFieldDefinitions.find((one) => one.name === keyword);
    return {
      path: isWritable(field) ? `keywordFields.${keyword}` : null,
      label: field?.label ?? keyword,
      rules: undefined,
      before: listOf(stored.before),
      after: listOf(stored.after),
    };
  });
}

/** The call of a change, in words for users. */
export function callText({ call, changes }: Pick<HistoryEntry, 'call' | 'changes'>): string {
  if (/^load\b/.test(call)) return texts.loaded;
  if (/\/bulkedits\/[^/]+\/undo$/.test(call)) return texts.batchUndone;
  if (call.includes('/bulkedits')) return texts.batch;
  const [lock] = changes.filter(({ name }) => name === 'document.locked');
  if (lock && changes.length === 1) return lock.after === null ? texts.unlocked : texts.locked;
  if (/\/documents\/[^/]+\/indexdata$/.test(call)) {
    if (call.startsWith('PATCH ')) return texts.changedFields;
    if (call.startsWith('PUT ')) return texts.allFields;
  }
  if (call.endsWith('/indexdata')) return texts.severalRevisions;
  if (/^POST .*\/documents$/.test(call)) return texts.created;
  return texts.otherCall;
}

function listOf(stored: StoredContent): readonly string[] {
  if (stored === null) return [];
  return isList(stored) ? stored : [String(stored)];
}
