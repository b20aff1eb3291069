import type {} from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** whoever comes here goes on in the form */
    readonly enters?: boolean;
  }
}
