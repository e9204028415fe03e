import type { Spec } from 'vega';

/** Draws without a DOM. Vega is loaded with the first picture: it takes some 25 MB, and many a process never draws. */
export async function toSvg(spec: Spec): Promise<string> {
  const { None, parse, View } = await import('vega');
  const view = new View(parse(spec), { renderer: 'none', logLevel: None });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}
