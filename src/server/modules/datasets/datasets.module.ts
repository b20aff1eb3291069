import type { Module } from '#server/module.ts';
import { analysisRoutes } from './analysis.routes.ts';
import { datasetRoutes } from './datasets.routes.ts';

/** The datasets of data tables. */
export const datasets: Module = (app, { config }) => {
  app.addCalls([...datasetRoutes(config), ...analysisRoutes()]);
};
