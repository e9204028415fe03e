/** Prints rows of cells under a title, aligned. */
export function printTable(title, head, rows) {
  const table = [head, ...rows].map((row) =>
    row.map((cell) => (typeof cell === 'number' ? format(cell) : String(cell))),
  );
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column].length)));
  const line = (row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ');
  const [header, ...body] = table.map(line);
  console.log(`\n${title}\n${header}\n${'-'.repeat(header.length)}\n${body.join('\n')}`);
}

const format = (number) => (Math.abs(number) >= 100 ? Math.round(number).toLocaleString('en') : number.toFixed(2));
