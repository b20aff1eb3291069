import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as texts from '#messages/value-cleanup.ts';
import { formatCount } from '#shared/messages/format.ts';
import type { ListFilter } from '#web/api/list-view.ts';
import { SearchField } from '#web/list-tools/search-field.tsx';
import { QueryError } from '#web/ui/query-state.tsx';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { ShowMore } from '#web/ui/show-more.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import type { CleanedField } from './cleaned-field.ts';
import { valuesQuery } from './value-cleanup.queries.ts';
import shared from '#web/ui/shared.module.css';
import classes from './value-cleanup.module.css';

interface AllValuesProps {
  readonly field: CleanedField;
  readonly filter: ListFilter;
  /** shows the records that have a value */
  readonly onShow: (value: string) => void;
}

/** All values of a field with their counts, most frequent first. */
export function AllValues({ field, filter, onShow }: AllValuesProps) {
  const [like, setLike] = useState('');
  const query = useInfiniteQuery(valuesQuery(field.target.collection, field.name, filter, like));
  const groups = query.data?.pages.flatMap((page) => page.groups) ?? [];
  const total = query.data?.pages[0]?.meta.pagination.total;
  return (
    <div className={`${shared.scroller} ${classes.all}`}>
      <SearchField label={texts.searchValues(field.label)} q={like} onChange={setLike} />
      <QueryError query={query} title={texts.valuesNotRead} />
      {query.data ? (
        <>
          <p role="status" className={shared.note}>
            {texts.valueCount(total ?? groups.length)}
          </p>
          <PlainTable headings={[field.label, texts.records]} className={classes.table}>
            {groups.map(({ values, count }) => {
              const value = values[field.name] ?? null;
              return (
                <tr key={value === null ? 'null' : `value ${String(value)}`}>
                  <td>
                    {value === null || value === '' ? (
                      <span className={shared.note}>{texts.noValue}</span>
                    ) : (
                      <button
                        type="button"
                        className={classes.link}
                        onClick={() => onShow(String(value))}
                      >
                        {String(value)}
                      </button>
                    )}
                  </td>
                  <td className={classes.number}>{formatCount(count)}</td>
                </tr>
              );
            })}
          </PlainTable>
          <ShowMore list={query} />
        </>
      ) : (
        <Spinner size={22} />
      )}
    </div>
  );
}
