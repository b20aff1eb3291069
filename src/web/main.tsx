import './app/tokens.css';
import './app/base.css';
import './api/patterns.ts';
import { setLocaleSource } from '#shared/messages/format.ts';
import { startWebAdmin } from './app/start.tsx';

setLocaleSource(() => navigator.language);

const root = document.querySelector('#root');
if (root) startWebAdmin(root);
