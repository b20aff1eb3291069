import { useQuery } from '@tanstack/react-query';
import * as texts from '#messages/system.ts';
import { formatNumber } from '#shared/messages/format.ts';
import type { MetricSample } from '#shared/contract/system-answers.ts';
import { byteSizeText } from '#web/ui/byte-size.ts';
import { QueryPending } from '#web/ui/query-state.tsx';
import { LineChart, LineCharts } from '#web/ui/line-chart.tsx';
import { metricsQuery } from './system.queries.ts';
import shared from '#web/ui/shared.module.css';

const number = (value: number) => formatNumber(value, 1);
const milliseconds = (value: number) => texts.milliseconds(number(value));

const CHARTS: readonly {
  readonly title: string;
  readonly read: (sample: MetricSample) => number;
  readonly format: (value: number) => string;
}[] = [
  { title: texts.requests, read: (sample) => sample.requestsPerSecond, format: number },
  { title: texts.latency, read: (sample) => sample.latencyP95Ms, format: milliseconds },
  { title: texts.writes, read: (sample) => sample.writesPerSecond, format: number },
  { title: texts.waitingWrites, read: (sample) => sample.waitingWrites, format: number },
  {
    title: texts.processor,
    read: (sample) => sample.processorShare * 100,
    format: (value) => texts.percent(number(value)),
  },
  {
    title: texts.eventLoopDelay,
    read: (sample) => sample.eventLoopDelayP99Ms,
    format: milliseconds,
  },
  { title: texts.memory, read: (sample) => sample.memoryBytes, format: byteSizeText },
];

/** The load of the answering process during the last hour. */
export function LoadCharts() {
  const { data, error, refetch } = useQuery(metricsQuery);
  if (!data) return <QueryPending query={{ error, refetch }} title={texts.notRead} />;
  if (data.samples.length < 2) return <p className={shared.muted}>{texts.loadEmpty}</p>;
  return (
    <LineCharts>
      {CHARTS.map(({ title, read, format }) => (
        <LineChart key={title} title={title} values={data.samples.map(read)} format={format} />
      ))}
    </LineCharts>
  );
}
