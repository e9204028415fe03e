export interface PageArgs {
  first?: number | null;
  after?: string | null;
}

export interface Connection<Node> {
  totalCount: number;
  edges: { node: Node; cursor: string }[];
  pageInfo: { endCursor: string | null; hasNextPage: boolean };
}

/** A page of a list that is at hand. Cursors are places in the list. */
export function connectionOf<Node>(nodes: readonly Node[], { first, after }: PageArgs = {}): Connection<Node> {
  const start = Number(after ?? 0) || 0;
  const edges = nodes
    .slice(start, first === null || first === undefined ? undefined : start + Math.max(first, 0))
    .map((node, index) => ({ node, cursor: String(start + index + 1) }));
  return {
    totalCount: nodes.length,
    edges,
    pageInfo: { endCursor: edges.at(-1)?.cursor ?? null, hasNextPage: start + edges.length < nodes.length },
  };
}
