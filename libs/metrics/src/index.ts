export {
  deliveries,
  endedExecutions,
  endedJobs,
  firings,
  ingestedCalls,
  meanReward,
  productMetrics,
  sampledTokens,
  trainedTokens,
} from './product-metrics.js';
