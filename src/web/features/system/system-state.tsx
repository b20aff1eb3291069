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
import { Fact, FactList } from '#web/ui/facts.tsx';
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
    <FactList width={260}>
      <Fact name={texts.version}>{texts.versionOf(system)}</Fact>
      <Fact name={texts.database}>
        {texts.databaseOf({ name, version, size: byteSizeText(bytes) })}
      </Fact>
      <Fact name={texts.archives}>{texts.archivesOf(system)}</Fact>
      <Fact name={texts.tables}>{texts.tablesOf(system)}</Fact>
      <Fact name={texts.historyEntries}>{formatCount(system.historyEntries)}</Fact>
      <Fact name={texts.schemaVersion}>{system.schemaVersion}</Fact>
      <Fact name={texts.node}>{system.node}</Fact>
      <Fact name={texts.process}>{texts.processOf(system.process)}</Fact>
      <Fact name={texts.startedAt}>
        <time dateTime={system.process.startedAt}>{localInstant(system.process.startedAt)}</time>
      </Fact>
      <Fact name={texts.malwareScanner}>{scannerText(system.malwareScanner)}</Fact>
      <Fact name={texts.documentation}>
        <a href={documentationAddress()} target="_blank" rel="noreferrer">
          {texts.openDocumentation}
        </a>
      </Fact>
    </FactList>
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
