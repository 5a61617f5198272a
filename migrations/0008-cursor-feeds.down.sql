drop table collector_state;
