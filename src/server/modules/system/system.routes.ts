import type { Config } from '#server/config.ts';
import { type AnyRoute, defineRead, FOR_ADMINISTRATORS } from '#server/http/route.ts';
import {
  collectionSizesAnswer,
  metricsAnswer,
  systemAnswer,
} from '#shared/contract/system-answers.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import { readAllCollections } from '../definitions/stored-definitions.ts';
import type { MalwareScanner } from '../files/malware-scanner.ts';
import { readCollectionSizesInWorker } from './system.reads.ts';
import { type MetricSamples, SAMPLE_INTERVAL } from './metric-samples.ts';
import { describeSystem } from './system.service.ts';

/** The calls about the installation itself, for administrators. */
export function systemRoutes(
  definitions: Definitions,
  config: Config,
  { samples }: MetricSamples,
  scanner: MalwareScanner | null,
): AnyRoute[] {
  return [
    defineRead({
      path: 'configuration/system',
      summary: 'Version, database, size, growth and settings of the installation',
      ...FOR_ADMINISTRATORS,
      answer: systemAnswer,
      async handle(db) {
        const state = scanner?.state ?? null;
        return { body: { system: await describeSystem(db, definitions, config, state) } };
      },
    }),
    defineRead({
      path: 'configuration/system/collections',
      summary: 'The size and the last change of each archive and table, retired ones included',
      ...FOR_ADMINISTRATORS,
      answer: collectionSizesAnswer,
      cost: 'heavy',
      async handle(db) {
        const all = (await readAllCollections(db)).map(({ kind, id, name, guid }) => ({
          kind,
          id,
          name,
          guid,
        }));
        return { body: { collections: await readCollectionSizesInWorker(db, all) } };
      },
    }),
    defineRead({
      path: 'configuration/system/metrics',
      summary: 'The load of the answering process during the last hour',
      ...FOR_ADMINISTRATORS,
      answer: metricsAnswer,
      async handle() {
        return { body: { metrics: { intervalSeconds: SAMPLE_INTERVAL, samples } } };
      },
    }),
  ];
}
