import { createRoot } from 'react-dom/client';
import './app/tokens.css';
import './app/base.css';
import { App } from './app/app.tsx';
import { createAppRouter } from './app/router.tsx';

const root = document.querySelector('#root');
if (root) createRoot(root).render(<App router={createAppRouter()} />);
