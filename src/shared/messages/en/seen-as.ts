import { rich } from '../rich.ts';

/** The bar over all pages while an administrator sees as another user. */
export const barLabel = 'Seeing as another user';
export const seeingAs = <Part>(name: Part) =>
  rich`You see as ${name}. Nothing can be changed, and this is recorded.`;
export const end = 'End';
export const notEnded = (failure: string) => `This view has not ended. ${failure}`;
