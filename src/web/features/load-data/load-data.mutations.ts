import { useMutation, useQueryClient } from '@tanstack/react-query';
import { administrationAnswers, onlyItem } from '#web/api/load-answer-schemas.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { apiPaths, type CollectionRef } from '#web/api/api-paths.ts';
import { writeData } from '#web/api/request.ts';
import { tableKeys } from '#web/api/tables.queries.ts';

/** The definition of a new archive or table, as in the request body. */
export type NewDefinition = { readonly archive: object } | { readonly table: object };

/** Creates an archive or table. @returns its reference */
export function useCreateFromFile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewDefinition): Promise<CollectionRef> => {
      const kind = 'archive' in body ? 'archive' : 'table';
      return writeData(apiPaths.definitions(kind), {
        method: 'POST',
        body,
        parse: async (raw): Promise<CollectionRef> => {
          const answers = await administrationAnswers();
          return kind === 'archive'
            ? { kind, id: onlyItem(answers.definedArchivesAnswer.parse(raw).archives).table }
            : { kind, id: onlyItem(answers.definedTablesAnswer.parse(raw).tables).guid };
        },
      });
    },
    onSuccess: ({ kind }) =>
      client.invalidateQueries({ queryKey: kind === 'archive' ? archiveKeys.all : tableKeys.all }),
  });
}
