import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { describeApi } from '../openapi.js';
import { docsHtml, docsScript } from './docs-page.js';
import { partOf, PARTS } from './docs-parts.js';
import { PackedFile } from './packed-file.js';

const ASSETS = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui-standalone-preset.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

/** The page talks to nobody but this server, runs nothing that isn't served here, and stands in nobody's frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Serves `/docs` (Swagger UI, which remembers the key), the description at `/openapi.json`, and `/`, which leads there.
 * @param publicUrl where users reach the API, if it is behind a path prefix for one
 */
export function serveDocs(app: INestApplication, publicUrl: string | undefined): void {
  const document = { ...describeApi(app), servers: [{ url: publicUrl?.replace(/\/+$/, '') || '/' }] };
  const json = (value: unknown): PackedFile => new PackedFile(Buffer.from(JSON.stringify(value)), 'application/json');
  const parts = Object.entries(PARTS).map(([name, tags]) => {
    const url = tags ? `docs/${name.toLowerCase().replaceAll(' ', '-')}.json` : 'openapi.json';
    return { name, url, file: json(partOf(document, tags)) };
  });
  const script = Buffer.from(docsScript(parts.map(({ name, url }) => ({ name, url }))));
  const files = new Map<string, PackedFile>([
    ['/docs', new PackedFile(Buffer.from(docsHtml), 'text/html; charset=utf-8')],
    ['/docs/init.js', new PackedFile(script, 'text/javascript; charset=utf-8')],
    ...parts.map(({ url, file }) => [`/${url}`, file] as const),
    ...assets(),
  ]);
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    // Relative, so that a prefix that a proxy took away comes back.
    if (request.path === '/') return response.redirect(302, publicUrl ? `${document.servers[0]!.url}/docs` : 'docs');
    if (request.path === '/docs/') return response.redirect(301, '../docs');
    const file = files.get(request.path);
    if (!file) return next();
    response.setHeader('content-security-policy', POLICY);
    response.setHeader('x-frame-options', 'DENY');
    response.setHeader('referrer-policy', 'no-referrer');
    file.send(request, response).catch(next);
  });
}

function assets(): [string, PackedFile][] {
  // The one that belongs to the generator.
  const generator = createRequire(import.meta.url).resolve('@nestjs/swagger/package.json');
  const folder = dirname(createRequire(generator).resolve('swagger-ui-dist/package.json'));
  return Object.entries(ASSETS).map(([name, type]) => [
    `/docs/${name}`,
    new PackedFile(readFileSync(join(folder, name)), type),
  ]);
}
