import type { Module } from '#server/module.ts';
import { registerLagMetrics } from './sequencing-lag.ts';

/** The history: the number of entries that wait for the sequencer. */
export const history: Module = (_app, { database, metrics }) => {
  registerLagMetrics(metrics, database);
};
