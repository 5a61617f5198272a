-- Reverts 0026-alert-queue.

drop function is_known_exploited(text);
drop index alerts_urgency_index;
