import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { findByName } from '#shared/rules/names.ts';
import type { VersionedRevision } from '#web/api/revisions.queries.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import { createLookUpAutofill, type LookUpAutofill } from '#web/fields/look-up-autofill.ts';
import { isList } from '#web/fields/value-checks.ts';
import { type Review, reviewedValue } from './use-review.ts';

/** The choices that are typed into the records. @param fields the field, then those that a choice in its editor fills */
export function useReviewChoices(fields: readonly ArchiveField[], review: Review) {
  const client = useQueryClient();
  const [choices] = useState(() => new Map<string, LookUpAutofill>());
  const create = (loaded: VersionedRevision) =>
    createLookUpAutofill(client, {
      fields: fields.flatMap(({ definition }) => definition ?? []),
      textAt: (name) => {
        const field = findByName(fields, name);
        const answer = review.answerOf(loaded.revision.revisionId);
        const value = field ? reviewedValue(answer, loaded, field) : null;
        return isList(value) ? null : value;
      },
      fill: (fills) => review.fill(loaded, fills),
    });
  return {
    /** those of a record */
    choicesOf: (loaded: VersionedRevision): LookUpAutofill => {
      const { revisionId } = loaded.revision;
      const known = choices.get(revisionId);
      if (known?.isPending()) return known;
      const created = create(loaded);
      choices.set(revisionId, created);
      return created;
    },
    isPending: () => [...choices.values()].some((one) => one.isPending()),
    settle: () => Promise.all([...choices.values()].map((one) => one.settle())),
  };
}
