// Usage: node count-reports.mjs FOLDER FAILED_STEPS. Adds up the reports of Jest (JSON) and pytest (JUnit XML) and prints
// `N passed, N failed`. A step that failed without a failed test in its report counts as one failure.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, failedSteps] = process.argv.slice(2);
const reports = readdirSync(folder).map((name) => readReport(join(folder, name)));
const passed = reports.reduce((sum, report) => sum + report.passed, 0);
const failedTests = reports.reduce((sum, report) => sum + report.failed, 0);
const failed = Math.max(failedTests, Number(failedSteps));
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

function readReport(file) {
  const text = readFileSync(file, 'utf8');
  return file.endsWith('.json') ? fromJest(JSON.parse(text)) : fromJUnit(text);
}

function fromJest(report) {
  // A suite that could not run holds no test, and fails all the same.
  return { passed: report.numPassedTests, failed: report.numFailedTests + report.numRuntimeErrorTestSuites };
}

function fromJUnit(text) {
  const number = (name) => Number(new RegExp(`<testsuite [^>]*\\b${name}="(\\d+)"`).exec(text)?.[1] ?? 0);
  const failed = number('failures') + number('errors');
  return { passed: number('tests') - failed - number('skipped'), failed };
}
