import { createRoot } from 'react-dom/client';
import { setLocaleSource } from '#shared/messages/format.ts';
import './app/tokens.css';
import './app/base.css';
import './api/patterns.ts';
import { CallError } from './api/failure.ts';
import { App } from './app/app.tsx';
import { createAppRouter, prefetchPage } from './app/router.ts';

setLocaleSource(() => navigator.language);

const root = document.querySelector('#root');
if (root) {
  const router = createAppRouter();
  void prefetchPage(router);
  const options = {
    // A call that did not succeed is no defect of the page: its error page says all there is.
    onCaughtError: (error: unknown) => {
      if (!(error instanceof CallError)) reportError(error);
    },
  };
  createRoot(root, options).render(<App router={router} />);
}
