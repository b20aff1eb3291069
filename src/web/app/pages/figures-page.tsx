import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import * as texts from '#messages/figures.ts';
import { useArchive, useTable } from '#web/api/collections.queries.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { FiguresView } from '#web/features/figures/figures-view.tsx';
import { SegmentedControl } from '#web/ui/inputs/segmented-control.tsx';
import { Page } from '#web/ui/page.tsx';
import { ListLinkButton } from './list-link-button.tsx';

/** The findings of the checks of an archive, and what was corrected. */
export function ArchiveFiguresPage() {
  const archive = useArchive(useParams({ from: '/archives/$archive/figures' }).archive);
  return (
    <FiguresPage
      collection={{ kind: 'archive', id: archive.table }}
      name={archive.name}
      fields={archive.indexFieldDefinitions}
    />
  );
}

/** The findings of the checks of a table, and what was corrected. */
export function TableFiguresPage() {
  const table = useTable(useParams({ from: '/tables/$guid/figures' }).guid);
  return (
    <FiguresPage
      collection={{ kind: 'table', id: table.guid }}
      name={table.label}
      fields={table.columns}
    />
  );
}

const PERIODS = ['30', '90', '365'] as const;

interface FiguresPageProps {
  readonly collection: CollectionRef;
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly label: string }[];
}

function FiguresPage({ collection, name, fields }: FiguresPageProps) {
  const navigate = useNavigate();
  const search = useSearch({ strict: false });
  const period = PERIODS.find((days) => days === search.days) ?? '90';
  return (
    <Page
      title={texts.titleOf(name)}
      body="prose"
      actions={
        <>
          <SegmentedControl
            id="period"
            aria-label={texts.period}
            options={PERIODS.map((days) => ({
              value: days,
              label: days === '365' ? texts.year : texts.days(Number(days)),
            }))}
            value={period}
            onChange={(days) => void navigate({ to: '.', search: { days }, replace: true })}
          />
          <ListLinkButton collection={collection}>{texts.toList}</ListLinkButton>
        </>
      }
    >
      <FiguresView collection={collection} fields={fields} days={Number(period)} />
    </Page>
  );
}
