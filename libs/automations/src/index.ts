export { AutomationDeliveryModule } from './automation-delivery.module.js';
export { AutomationFiringModule } from './automation-firing.module.js';
export { AutomationsModule } from './automations.module.js';
export { Clock } from './delivery/clock.js';
export { DeliveryPump } from './delivery/delivery.pump.js';
export { describeOutgoing } from './dto/outgoing.openapi.js';
export { PlannedTimesService } from './delivery/planned-times.service.js';
export { PruneHistoryHandler } from './delivery/prune-history.handler.js';
