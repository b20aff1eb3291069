import { useQuery } from '@tanstack/react-query';
import * as texts from '#messages/value-cleanup.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { QueryError } from '#web/ui/query-state.tsx';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import type { CleanedField } from './cleaned-field.ts';
import { useForgetAlias } from './value-cleanup.mutations.ts';
import { aliasesQuery } from './value-cleanup.queries.ts';
import shared from '#web/ui/shared.module.css';
import classes from './value-cleanup.module.css';

/** The aliases of a field: values that imports and pastes correct. */
export function Remembered({ field }: { readonly field: CleanedField }) {
  const { target, name, mayWrite } = field;
  const query = useQuery(aliasesQuery(target.collection, name));
  const forget = useForgetAlias(target.collection, name);
  if (query.error) {
    return <QueryError query={query} title={texts.aliasesNotRead} />;
  }
  if (!query.data) return <Spinner size={22} />;
  if (query.data.length === 0) {
    return <EmptyState title={texts.nothingRemembered}>{texts.rememberedHint}</EmptyState>;
  }
  return (
    <div className={`${shared.scroller} ${classes.all}`}>
      {forget.error && <ErrorPanel error={forget.error} title={texts.notForgotten} />}
      <p className={shared.note}>{texts.rememberedHint}</p>
      <PlainTable headings={[texts.alias, texts.becomes, ...(mayWrite ? [texts.actions] : [])]}>
        {query.data.map(({ aliasId, alias, value }) => (
          <tr key={aliasId}>
            <td className={classes.text}>{alias}</td>
            <td className={classes.text}>{value}</td>
            {mayWrite && (
              <td>
                <Button
                  writes
                  variant="subtle"
                  size="compact-sm"
                  aria-label={texts.forgetValue(alias)}
                  aria-disabled={forget.isPending || undefined}
                  onClick={() => {
                    if (!forget.isPending) forget.mutate(aliasId);
                  }}
                >
                  {texts.forget}
                </Button>
              </td>
            )}
          </tr>
        ))}
      </PlainTable>
    </div>
  );
}
