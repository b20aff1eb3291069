import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import * as texts from '#messages/figures.ts';
import type { Figures } from '#shared/contract/check-figures.ts';
import { formatCount } from '#shared/messages/format.ts';
import { checkFilterOf } from '#web/api/checks.queries.ts';
import { listLink } from '#web/api/list-link.ts';
import { writeListView } from '#web/api/list-view.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { QueryPending } from '#web/ui/query-state.tsx';
import { DescriptionItem, DescriptionList } from '#web/ui/description-list.tsx';
import { LineCharts } from '#web/ui/line-chart.tsx';
import { Section } from '#web/ui/section.tsx';
import { BarTable } from './bar-table.tsx';
import { CheckTable } from './check-table.tsx';
import { DailyChart, isPlotted } from './daily-chart.tsx';
import { figuresQuery } from './figures.queries.ts';
import classes from './figures.module.css';

interface FiguresViewProps {
  readonly collection: CollectionRef;
  /** of the archive or table */
  readonly fields: readonly { readonly name: string; readonly label: string }[];
  readonly days: number;
}

/** The findings of the checks of an archive or table, and the corrections. */
export function FiguresView({ collection, fields, days }: FiguresViewProps) {
  const { data, error, refetch } = useQuery({
    ...figuresQuery(collection, days),
    placeholderData: keepPreviousData,
  });
  if (!data) return <QueryPending query={{ error, refetch }} title={texts.notRead} />;
  const { checks, corrections, records, examined } = data;
  if (checks.length === 0)
    return <EmptyState title={texts.noChecks}>{texts.noChecksMore}</EmptyState>;
  const isCounted = checks.every(({ count }) => count !== null);
  const hasHistory = records.daily.some((count) => count !== null && count > 0);
  if (isCounted && records.withFindings === 0 && corrections.count === 0 && !hasHistory) {
    return (
      <EmptyState done title={texts.nothingFound}>
        {texts.nothingFoundMore}
      </EmptyState>
    );
  }
  const filter = checkFilterOf(fields);
  return (
    <div className={classes.figures}>
      <Section title={texts.now}>
        <CurrentFigures collection={collection} filter={filter} figures={data} />
      </Section>
      <Section title={texts.overTime}>
        <OverTime figures={data} />
      </Section>
      <Section title={texts.byCheck}>
        <CheckTable collection={collection} filter={filter} checks={checks} />
        <p className={classes.hint}>{texts.aboutCorrections}</p>
      </Section>
      {examined.records > 0 && (
        <div className={classes.columns}>
          <Section title={texts.byField}>
            <BarTable
              subject={texts.field}
              unit={texts.findings}
              rows={examined.fields.map(({ name, findings }) => ({
                key: name,
                name: fields.find((field) => field.name === name)?.label ?? name,
                count: findings,
              }))}
            />
            <p className={classes.hint}>{texts.aboutFields}</p>
          </Section>
          <Section title={texts.byOrigin}>
            <BarTable
              subject={texts.origin}
              unit={texts.findings}
              rows={examined.origins.map(({ origin, findings }) => ({
                key: origin,
                name: texts.origins[origin],
                count: findings,
              }))}
            />
            <p className={classes.hint}>{texts.aboutOrigins}</p>
          </Section>
          {examined.records < records.withFindings && (
            <p className={classes.hint}>{texts.examined(examined.records)}</p>
          )}
        </div>
      )}
      {corrections.people && corrections.people.length > 0 && (
        <Section title={texts.byPerson}>
          <BarTable
            subject={texts.person}
            unit={texts.corrected}
            rows={corrections.people.map(({ username, displayName, count }) => ({
              key: username ?? '',
              name: displayName ?? username ?? texts.unknownPerson,
              count,
            }))}
          />
          <p className={classes.hint}>{texts.aboutPeople}</p>
        </Section>
      )}
      <ChecksOverTime figures={data} />
    </div>
  );
}

interface CurrentFiguresProps {
  readonly collection: CollectionRef;
  readonly filter: string;
  readonly figures: Figures;
}

function CurrentFigures({
  collection,
  filter,
  figures: { records, checks, corrections },
}: CurrentFiguresProps) {
  const { total, withFindings } = records;
  const without = total - withFindings;
  const shareOf = (count: number) => texts.partOf({ count, share: total > 0 ? count / total : 0 });
  const linkTo = (value: 'true' | 'false') =>
    listLink(collection, writeListView({ where: [{ field: filter, op: 'null', value }] }));
  // Checks with hidden parts are excluded from both counts.
  const left = checks.reduce(
    (all, { count, corrected }) => all + (corrected === null ? 0 : (count ?? 0)),
    0,
  );
  const all = corrections.count + left;
  return (
    <DescriptionList width={150}>
      <DescriptionItem name={texts.records}>{formatCount(total)}</DescriptionItem>
      <DescriptionItem name={texts.withFindings}>
        <Link {...linkTo('false')}>{shareOf(withFindings)}</Link>
      </DescriptionItem>
      <DescriptionItem name={texts.withoutFindings}>
        <Link {...linkTo('true')}>{shareOf(without)}</Link>
      </DescriptionItem>
      <DescriptionItem name={texts.corrected}>
        {all > 0 ? texts.correctedOf({ count: corrections.count, all }) : texts.none}
      </DescriptionItem>
      <DescriptionItem name={texts.ownCorrections}>
        {corrections.own === null ? texts.ownUnknown : formatCount(corrections.own)}
      </DescriptionItem>
    </DescriptionList>
  );
}

/** The sum over all checks. */
function OverTime({
  figures: { days, records, checks, corrections },
}: {
  readonly figures: Figures;
}) {
  const series = [records.daily, ...checks.map(({ daily }) => daily)];
  const begins = days.findIndex((_, i) => series.some((daily) => (daily[i] ?? null) !== null));
  // Corrections before the first count are unknown.
  const corrected = corrections.daily.map((count, i) => (begins < 0 || i < begins ? null : count));
  if (!isPlotted(records.daily) && !isPlotted(corrected)) {
    return <p className={classes.hint}>{texts.noDaysYet}</p>;
  }
  return (
    <LineCharts>
      <DailyChart title={texts.recordsOverTime} days={days} values={records.daily} />
      <DailyChart title={texts.correctedPerDay} days={days} values={corrected} />
    </LineCharts>
  );
}

/** The checks with findings in these days. */
function ChecksOverTime({ figures: { days, checks } }: { readonly figures: Figures }) {
  const plotted = checks.filter(
    ({ daily }) => isPlotted(daily) && daily.some((count) => count !== null && count > 0),
  );
  if (plotted.length === 0) return null;
  return (
    <Section title={texts.checksOverTime}>
      <LineCharts>
        {plotted.map(({ name, label, daily }) => (
          <DailyChart key={name} title={label} days={days} values={daily} />
        ))}
      </LineCharts>
    </Section>
  );
}
