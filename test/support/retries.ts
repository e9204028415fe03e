import { jest } from '@jest/globals';

// These tests wait for real processes, sockets and databases, on machines that other work shares. A test that fails once and
// passes again says so in the log; one that fails twice is red.
jest.retryTimes(1, { logErrorsBeforeRetry: true });
