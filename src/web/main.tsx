import './app/tokens.css';
import './app/base.css';
import './api/patterns.ts';
import { startWebAdmin } from './app/start.tsx';

const root = document.querySelector('#root');
if (root) startWebAdmin(root);
