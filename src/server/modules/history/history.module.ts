import type { Module } from '#server/module.ts';
import { describeLag } from './lag.ts';

/** The history: how far its sealing lags behind. */
export const history: Module = (_app, { database, metrics }) => {
  describeLag(metrics, database);
};
