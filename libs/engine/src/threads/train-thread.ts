import { parentPort, workerData } from 'node:worker_threads';
import { Compute } from '../model/compute.js';
import { TrainWork } from './train-work.js';
import type { TrainReply, TrainTask, TrainThreadData } from './train-task.js';

// A thread that computes one task after the other; see TrainThreads.
const { model, scratch } = workerData as TrainThreadData;
const work = new TrainWork(new Compute(model, scratch));

parentPort!.on('message', (task: TrainTask) => {
  let reply: TrainReply;
  try {
    reply = { result: work.run(task) };
  } catch (error) {
    reply = { error: error instanceof Error ? error.message : String(error), stopped: TrainWork.wasStopped(error) };
  }
  parentPort!.postMessage(reply);
});
