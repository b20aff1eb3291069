import { useQuery } from '@tanstack/react-query';
import * as jobTexts from '#messages/system-jobs.ts';
import * as texts from '#messages/system.ts';
import { formatCount } from '#shared/messages/format.ts';
import type { System } from '#shared/contract/system-answers.ts';
import { documentationAddress } from '#web/api/api-paths.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { byteSizeText } from '#web/ui/byte-size.ts';
import { QueryError } from '#web/ui/query-state.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { DescriptionItem, DescriptionList } from '#web/ui/description-list.tsx';
import { LineChart, LineCharts } from '#web/ui/line-chart.tsx';
import { Section } from '#web/ui/section.tsx';
import { BackgroundJobs } from './background-jobs.tsx';
import { Backups } from './backups.tsx';
import { Integrity } from './integrity.tsx';
import { LoadCharts } from './load-charts.tsx';
import { SettingsTable } from './settings-table.tsx';
import { systemQuery } from './system.queries.ts';
import shared from '#web/ui/shared.module.css';
import classes from './system.module.css';

/** Version, database, size, growth, load and settings of the installation. */
export function SystemState() {
  const { data, error, refetch } = useQuery(systemQuery);
  if (error) return <QueryError query={{ error, refetch }} title={texts.notRead} />;
  if (!data) return <Spinner />;
  return (
    <div className={classes.state}>
      <Section title={texts.installation}>
        <Installation system={data} />
      </Section>
      <Section title={jobTexts.backups}>
        <Backups />
      </Section>
      <Section title={jobTexts.integrity}>
        <Integrity />
      </Section>
      <Section title={jobTexts.jobs}>
        <BackgroundJobs />
      </Section>
      <Section title={texts.load}>
        <LoadCharts />
      </Section>
      <Section title={texts.growth}>
        <Growth sizes={data.sizes} />
      </Section>
      <Section title={texts.settings}>
        <SettingsTable settings={data.settings} />
      </Section>
    </div>
  );
}

function Installation({ system }: { readonly system: System }) {
  const { name, version, bytes } = system.database;
  return (
    <DescriptionList width={260}>
      <DescriptionItem name={texts.version}>{texts.versionOf(system)}</DescriptionItem>
      <DescriptionItem name={texts.database}>
        {texts.databaseOf({ name, version, size: byteSizeText(bytes) })}
      </DescriptionItem>
      <DescriptionItem name={texts.archives}>{texts.archivesOf(system)}</DescriptionItem>
      <DescriptionItem name={texts.tables}>{texts.tablesOf(system)}</DescriptionItem>
      <DescriptionItem name={texts.historyEntries}>
        {formatCount(system.historyEntries)}
      </DescriptionItem>
      <DescriptionItem name={texts.schemaVersion}>{system.schemaVersion}</DescriptionItem>
      <DescriptionItem name={texts.node}>{system.node}</DescriptionItem>
      <DescriptionItem name={texts.process}>{texts.processOf(system.process)}</DescriptionItem>
      <DescriptionItem name={texts.startedAt}>
        <time dateTime={system.process.startedAt}>{localInstant(system.process.startedAt)}</time>
      </DescriptionItem>
      <DescriptionItem name={texts.malwareScanner}>
        {scannerText(system.malwareScanner)}
      </DescriptionItem>
      <DescriptionItem name={texts.documentation}>
        <a href={documentationAddress()} target="_blank" rel="noreferrer">
          {texts.openDocumentation}
        </a>
      </DescriptionItem>
    </DescriptionList>
  );
}

function scannerText(scanner: System['malwareScanner']): string {
  if (!scanner) return texts.noMalwareScanner;
  return scanner.problem === null ? (scanner.version ?? '') : texts.scannerFails(scanner.problem);
}

function Growth({ sizes }: { readonly sizes: System['sizes'] }) {
  if (sizes.length === 0) return <p className={shared.muted}>{texts.growthEmpty}</p>;
  const of = (read: (size: System['sizes'][number]) => number) => sizes.map(read);
  return (
    <LineCharts>
      <LineChart
        title={texts.databaseSize}
        values={of((size) => size.databaseBytes)}
        format={byteSizeText}
      />
      <LineChart
        title={texts.fileSize}
        values={of((size) => size.fileBytes)}
        format={byteSizeText}
      />
      <LineChart
        title={texts.historyEntries}
        values={of((size) => size.historyEntries)}
        format={formatCount}
      />
    </LineCharts>
  );
}
